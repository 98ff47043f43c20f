import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { STANDARD_QUOTES } from '@boathouse/sql'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { openAccount } from '../server/src/engines/duckdb/account/account.ts'
import { DUCKDB_NAMES } from '../server/src/engines/duckdb/guard/name-rules.ts'
import { TPCH_LIKE_QUERIES } from '../server/src/engines/duckdb/samples/tpch-like-queries.ts'
import { tpchLikeStatements } from '../server/src/engines/duckdb/samples/tpch-like.ts'
import type { EngineSession } from '../server/src/engines/engine/session.ts'
import type { ExecuteOptions } from '../server/src/engines/engine/run.ts'
import { analyseText } from '../server/src/modules/query/analysis/analysed-text.ts'
import { judge } from '../server/src/modules/query/gate/gate.ts'
import { atMost, type Figure, type Measured } from './figures.ts'
import { median, percentile } from './statistics.ts'
import { timed } from './stopwatch.ts'
import type { Workshop } from './workshop.ts'

const WARM_UPS = 5
const ROUNDS = 20
const LARGE_ROUNDS = 9
const SCALE = 0.001
const [CATALOG, DATABASE] = ['default_catalog', 'main']
const KB = 1024

/** What people send: the 22 queries, a look at a table, and statements that write. */
const TYPICAL = [
  ...TPCH_LIKE_QUERIES.map(({ sql }) => sql),
  'SELECT * FROM orders LIMIT 100',
  "SELECT count(*) FROM customer WHERE c_mktsegment = 'BUILDING'",
  "INSERT INTO region VALUES (9, 'NOWHERE', 'none')",
  "UPDATE nation SET n_comment = '' WHERE n_regionkey = 3",
  'DELETE FROM lineitem WHERE l_quantity > 49',
  'CREATE TABLE large_orders AS SELECT * FROM orders WHERE o_totalprice > 100000',
]

const repeatedTo = (length: number, piece: (at: number) => string): string => {
  const pieces: string[] = []
  for (let size = 0; size < length; size += pieces.at(-1)?.length ?? 0) pieces.push(piece(pieces.length))
  return pieces.join('')
}

const LARGE = `SELECT * FROM orders WHERE o_orderkey IN (${repeatedTo(100 * KB - 60, (at) => `${at}, `)}0)`
/** Of less than 500 statements, the most that are run of one text. */
const SCRIPT = repeatedTo(
  KB * KB,
  (at) =>
    `INSERT INTO t VALUES ${repeatedTo(2.5 * KB, (row) => `(${at}, ${row}, 'some ''text'''), `)}(0, 0, '');\n`,
)

/** Everybody may do nothing, so that nothing runs: what a statement uses is known when this is asked. */
function refusing(onAsked: () => void): ExecuteOptions {
  return {
    takenFor: null,
    written: { quotes: STANDARD_QUOTES, systemVariables: {}, variables: {} },
    authorize: async () => {
      onAsked()
      return { message: 'This was only to be looked at.' }
    },
    maxRows: 1,
    queryId: randomUUID(),
    keep: null,
    profile: null,
  }
}

/** From the text to the objects on which the privileges decide. */
async function guardedMs(session: EngineSession, sql: string): Promise<number> {
  const begun = performance.now()
  const [statement] = analyseText(sql, DUCKDB_NAMES).statements
  if (!statement || !judge(statement).allowed) throw new Error(`This is refused: ${sql.slice(0, 200)}`)
  let ms = 0
  await session.execute(
    statement.text,
    refusing(() => (ms = performance.now() - begun)),
  ).outcome
  if (ms === 0) throw new Error(`Nobody was asked about: ${sql.slice(0, 200)}`)
  return ms
}

const boundMs = (connection: DuckDBConnection, sql: string): Promise<number> =>
  timed(async () => (await connection.prepare(sql)).destroySync())

interface Sides {
  readonly session: EngineSession
  readonly connection: DuckDBConnection
}

/** A comment behind the last word would be no part of the statement. */
const unlikeAny = (text: string): string => text.replace(/^\w+/, (word) => `${word} /* ${randomUUID()} */`)

/** Each text is a new one, of which nothing is remembered. */
async function timesOf({ session, connection }: Sides, texts: readonly string[], rounds: number) {
  const [product, peer]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++)
    for (const text of texts) {
      const sql = unlikeAny(text)
      product.push(await guardedMs(session, sql))
      peer.push(await boundMs(connection, sql))
    }
  return { product, peer }
}

async function measure(sides: Sides): Promise<Figure[]> {
  await timesOf(sides, TYPICAL, WARM_UPS)
  const typical = await timesOf(sides, TYPICAL, ROUNDS)
  const large = await timesOf(sides, [LARGE], LARGE_ROUNDS)
  const split: number[] = []
  for (let round = 0; round < LARGE_ROUNDS; round++)
    split.push(await timed(async () => analyseText(SCRIPT, DUCKDB_NAMES)))
  const parsed = await timed(async () => sides.connection.extractStatements(SCRIPT))
  return [
    { label: 'typical, p50', product: median(typical.product), peer: median(typical.peer) },
    {
      label: 'typical, p99',
      product: percentile(typical.product, 0.99),
      peer: percentile(typical.peer, 0.99),
    },
    { label: '100 KB in one statement', product: median(large.product), peer: median(large.peer) },
    { label: '1 MB taken apart', product: median(split), peer: parsed },
  ]
}

/**
 * Everything that happens to a statement before it may run: it is read, checked, rendered, and resolved to the objects
 * that it uses.
 */
export async function benchGuard({ scratch }: Workshop): Promise<Measured> {
  const directory = join(scratch, 'guard')
  await mkdir(directory)
  const size = { threads: 1, memoryBytes: KB ** 3, tempBytes: KB ** 3 }
  const account = await openAccount({ directory, ...size }, { inMemory: true })
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  try {
    const place = { catalog: CATALOG, database: DATABASE, timeZone: 'UTC', variables: {}, user: 'bench' }
    const session = await account.openSession(place, () => undefined)
    for (const sql of tpchLikeStatements({ database: DATABASE, scale: SCALE })) {
      const { state } = await session.execute(sql, { ...refusing(() => undefined), authorize: 'all' }).outcome
      if (state !== 'finished') throw new Error(`This did not finish: ${sql.slice(0, 200)}`)
      await connection.run(sql)
    }
    const figures = await measure({ session, connection })
    const [p50, p99, large, split] = figures.map(({ product }) => product)
    return {
      title: `guard and rewriting, ${ROUNDS * TYPICAL.length} texts of which each is new`,
      peer: 'DuckDB binds it',
      figures,
      goals: [
        atMost('a typical statement, p50, ms', p50 ?? Number.NaN, 1),
        atMost('a typical statement, p99, ms', p99 ?? Number.NaN, 5),
        atMost('a statement of 100 KB, ms', large ?? Number.NaN, 100),
        atMost('1 MB taken apart, ms', split ?? Number.NaN, 300),
      ],
      notes: ['Without the look at the privileges, which are in memory.'],
    }
  } finally {
    connection.closeSync()
    instance.closeSync()
    await account.close()
  }
}
