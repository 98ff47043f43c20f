import type { Row } from '@boathouse/contract'
import { readStatement, type StatementKind } from '@boathouse/sql'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import type { SqlRunner } from '../sql-runner.ts'
import { type Outcome, reasonOf, type Verdict, verdictOf } from './compared.ts'
import { BY_CHANCE, knownDifference } from './known-differences.ts'
import type { TestStatement } from './test-file.ts'

/** What came of a statement that is not the same on both sides. */
export interface Finding {
  readonly verdict: Exclude<Verdict, 'same'>
  readonly reason: string
  /** Which of the differences that the guide names it is. */
  readonly known: string | null
  readonly statement: TestStatement
  /** What each side said: its error, or its first rows. */
  readonly said: { readonly product: string; readonly peer: string }
}

export interface FileReport {
  readonly same: number
  readonly findings: readonly Finding[]
  /** Left out: an ATTACH of a second database and the statements after it. */
  readonly notRun: number
  /** Of the statements that are the same, without those that fail on both sides. */
  readonly times: readonly Times[]
}

/** Of one statement. */
export interface Times {
  readonly kind: StatementKind
  readonly productMs: number
  readonly peerMs: number
}

/** They set up DuckDB's own checks, threads and memory: neither side is asked. */
const CONFIGURES =
  /^\s*(?:pragma|reset|set\s+(?!(?:session\s+)?(?:variable|schema|search_path|timezone|time|calendar|default_|null_order|ieee_)))/i

/** In process, the number of changed rows is a row; the product returns it beside the rows. */
const isChange = (sql: string): boolean =>
  !/\breturning\b/i.test(sql) && ['writes', 'session'].includes(readStatement(sql).class)

/** A second database, which is not part of the comparison: neither are the statements after it in the file. */
const ADDS_DATABASE = /^\s*attach\b/i

const CATALOG = 'default_catalog'

async function timed(run: () => Promise<readonly Row[]>): Promise<{ outcome: Outcome; ms: number }> {
  const begun = performance.now()
  try {
    const rows = await run()
    return { outcome: { rows }, ms: performance.now() - begun }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { outcome: { error: message }, ms: performance.now() - begun }
  }
}

/** DuckDB in this process with nothing in it, in a catalog of the same name as the product's. */
export async function withEmptyPeer<T>(
  threads: string,
  work: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  const instance = await DuckDBInstance.create(':memory:', { threads })
  const connection = await instance.connect()
  try {
    await connection.run(`ATTACH ':memory:' AS ${CATALOG}; USE ${CATALOG}; DETACH memory`)
    return await work(connection)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

export async function runFile(
  statements: readonly TestStatement[],
  { product, peer }: { product: SqlRunner; peer: SqlRunner },
): Promise<FileReport> {
  const findings: Finding[] = []
  const times: Times[] = []
  let [same, notRun] = [0, 0]
  let [afterChance, afterRefused] = [false, false]
  for (const [at, statement] of statements.entries()) {
    if (CONFIGURES.test(statement.sql)) continue
    afterChance ||= !statement.hasRows && BY_CHANCE.test(statement.sql)
    const theirs = await timed(() => peer.run(statement.sql))
    const ours = await timed(() => product.run(statement.sql))
    const hasRows = statement.hasRows && !isChange(statement.sql)
    const asRead = verdictOf(ours.outcome, theirs.outcome, hasRows)
    const isOther = asRead === 'different' && !('error' in ours.outcome) && !('error' in theirs.outcome)
    const verdict = isOther
      ? verdictOf(ours.outcome, (await timed(() => peer.run(asTexts(statement.sql)))).outcome, true)
      : asRead
    if (verdict === 'refused' && ADDS_DATABASE.test(statement.sql)) {
      notRun = statements.length - at
      break
    }
    if (verdict !== 'same') {
      const reason = 'error' in ours.outcome ? reasonOf(ours.outcome.error) : reasonOfRows(theirs.outcome)
      const said = { product: saidIn(ours.outcome), peer: saidIn(theirs.outcome) }
      const sides = { product: ours.outcome, peer: theirs.outcome }
      const known =
        verdict === 'different'
          ? knownDifference({ sql: statement.sql, afterChance, afterRefused, ...sides })
          : null
      findings.push({ verdict, reason, known, statement, said })
      afterRefused ||= verdict === 'refused' && readStatement(statement.sql).class !== 'reads'
      continue
    }
    same++
    if ('error' in ours.outcome) continue
    times.push({ kind: readStatement(statement.sql).kind, productMs: ours.ms, peerMs: theirs.ms })
  }
  return { same, notRun, findings, times }
}

/** With DuckDB's own texts of its values: the driver writes maps, structs and others in its own way. */
const asTexts = (sql: string): string =>
  `SELECT CAST(COLUMNS(*) AS VARCHAR) FROM (${sql.replace(/[\s;]+$/, '')}\n)`

const saidIn = (outcome: Outcome): string =>
  ('error' in outcome ? outcome.error : JSON.stringify(outcome.rows.slice(0, 20))).slice(0, 2000)

const reasonOfRows = (peer: Outcome): string =>
  'error' in peer ? `fails in process: ${reasonOf(peer.error)}` : 'other rows'

const quoted = (name: string | null): string => `"${(name ?? '').replaceAll('"', '""')}"`

/** What a file leaves behind in the product: views first, since they depend on the others. */
const LEFT = [
  ['VIEW', `SELECT view_name FROM duckdb_views() WHERE NOT internal AND database_name = '${CATALOG}'`],
  ['TABLE', `SELECT table_name FROM duckdb_tables() WHERE database_name = '${CATALOG}'`],
  ['SEQUENCE', `SELECT sequence_name FROM duckdb_sequences() WHERE database_name = '${CATALOG}'`],
  [
    'MACRO',
    `SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type = 'macro' AND NOT internal AND database_name = '${CATALOG}'`,
  ],
  ['TYPE', `SELECT type_name FROM duckdb_types() WHERE NOT internal AND database_name = '${CATALOG}'`],
  [
    'MACRO TABLE',
    `SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type = 'table_macro' AND NOT internal AND database_name = '${CATALOG}'`,
  ],
] as const

const SCHEMAS = `SELECT schema_name FROM duckdb_schemas() WHERE NOT internal AND database_name = '${CATALOG}'
  AND schema_name NOT IN ('main', 'information_schema', 'pg_catalog')`

const ignore = (): readonly Row[] => []

export async function emptyProduct(product: SqlRunner): Promise<void> {
  await product.run('ROLLBACK').catch(ignore)
  await product.run(`USE ${CATALOG}.main`)
  for (const [name] of await product.run(SCHEMAS))
    await product.run(`DROP DATABASE ${quoted(name ?? null)} CASCADE`).catch(ignore)
  for (const [what, list] of LEFT)
    for (let round = 0; round < 3; round++) {
      const rows = await product.run(list)
      if (rows.length === 0) break
      for (const [name] of rows)
        await product.run(`DROP ${what} IF EXISTS ${quoted(name ?? null)} CASCADE`).catch(ignore)
    }
}
