import { quoteIdentifier, quoteString } from '@boathouse/sql'
import type { FileOrder, StreamCounts, StreamOrder, StreamPart } from '../../engine/files.ts'
import { decisionOf, isDenial } from '../../engine/objects.ts'
import type { EngineError, FinishedOutcome, Outcome } from '../../engine/outcome.ts'
import type { Cell } from '../../engine/rows.ts'
import type { ExecuteOptions } from '../../engine/run.ts'
import { NOTHING_TO_LOSE } from '../../engine/session.ts'
import { NotStaged, type Staging } from '../../engine/staging.ts'
import { parseTypeName } from '../../engine/type-names.ts'
import { LONGEST_TEXT } from '../guard/statement-kind.ts'
import { type InsertedColumn, insertText } from './insert-text.ts'

interface LoadScene {
  readonly staging: Staging
  readonly accountId: string
  readonly user: string | undefined
  /** In which a cut-off write can be found out about. */
  readonly catalog: string
  readonly options: ExecuteOptions
  readonly stop: AbortSignal
  /** Runs a statement of ours in the session. */
  run(sql: string, more: Partial<ExecuteOptions>): Promise<Outcome>
}

const MOST_COLUMNS = 1_000
const MOST_ROWS = 100_000

const failed = (kind: EngineError['kind'], message: string): Outcome => ({
  state: 'failed',
  error: { kind, message },
  session: NOTHING_TO_LOSE,
})

const TOO_LARGE = `This load is too large for a cluster: as a statement, its rows have more than ${LONGEST_TEXT.toLocaleString('en')} characters, or there are more than ${MOST_ROWS.toLocaleString('en')}. Send less at a time, or load into a table of the embedded engine and insert from there.`

const finished = (rowsChanged: number): FinishedOutcome => ({
  state: 'finished',
  result: { columns: [], rows: [], truncated: false, rowsChanged },
  bytes: 0,
  kept: null,
  profile: null,
  peakMemoryBytes: null,
  session: NOTHING_TO_LOSE,
})

interface TableColumn extends InsertedColumn {
  readonly isNullable: boolean
}

const DEFAULTS = { timePrecision: 3, decimal: { precision: 38, scale: 0 } }

/** Of the table, in its order; an outcome that says why they are not known. */
async function columnsOf({ table }: StreamPart, { run }: LoadScene): Promise<TableColumn[] | Outcome> {
  const sql = `SELECT column_name, data_type, is_nullable FROM ${quoteIdentifier(table.catalog)}.information_schema.columns
    WHERE table_schema = ${quoteString(table.database)} AND table_name = ${quoteString(table.name)} ORDER BY ordinal_position`
  const asked = await run(sql, { takenFor: null, maxRows: MOST_COLUMNS })
  if (asked.state !== 'finished') return asked
  const { rows } = asked.result
  if (rows.length === 0) return failed('missing', `There is no table ${table.database}.${table.name}.`)
  return rows.map(([name, typeName, nullable]) => ({
    name: name ?? '',
    typeName: typeName ?? '',
    type: parseTypeName((typeName ?? '').toUpperCase(), DEFAULTS),
    isNullable: nullable !== 'NO',
  }))
}

/**
 * What a program has sent, read elsewhere as the table would have it, then inserted by one statement. That is noted before it
 * begins, as every write: so the table says after any crash whether it took effect.
 */
export async function loadStream(order: FileOrder, scene: LoadScene): Promise<Outcome> {
  const { options, catalog } = scene
  const parts = order.does === 'stream' ? order.parts : []
  const [first] = parts
  if (order.does !== 'stream' || !first) return failed('unavailable', 'A cluster loads streams alone.')
  if (parts.some(({ table }) => pathOf(table) !== pathOf(first.table)))
    return failed('data', 'A cluster loads into one table at a time, and this transaction has several.')
  if (first.table.catalog !== catalog)
    return failed('data', `A cluster loads data into tables of the catalog ${catalog} alone.`)
  const object = { type: 'table', ...first.table } as const
  const verdict =
    options.authorize === 'all'
      ? null
      : await decisionOf(options.authorize, [{ action: 'insert', object, through: null }])
  if (isDenial(verdict)) return failed('permission', verdict.message)
  const columns = await columnsOf(first, scene)
  if ('state' in columns) return columns
  const staged = await stagedRows(parts, { ...scene, columns })
  return 'state' in staged ? staged : inserted(order, { ...scene, columns, staged })
}

const pathOf = ({ catalog, database, name }: StreamPart['table']): string =>
  JSON.stringify([catalog, database, name])

interface TableScene extends LoadScene {
  readonly columns: readonly TableColumn[]
}

interface StagedRows {
  readonly rows: readonly (readonly Cell[])[]
  readonly counts: readonly StreamCounts[]
}

/** Of all parts, as the table would have them; an outcome where one of them cannot be loaded. */
async function stagedRows(parts: readonly StreamPart[], scene: TableScene): Promise<StagedRows | Outcome> {
  const { staging, accountId, user, columns, options, stop } = scene
  const rows: (readonly Cell[])[] = []
  const counts: StreamCounts[] = []
  for (const part of parts) {
    const mostRows = MOST_ROWS - rows.length
    try {
      const staged = await staging.read({ accountId, user, part, columns, options, stop, mostRows })
      if ('outcome' in staged) return staged.outcome
      if (staged.isCut) return failed('data', TOO_LARGE)
      for (const row of staged.rows) rows.push(row)
      counts.push(staged.counts)
    } catch (error) {
      if (!(error instanceof NotStaged)) throw error
      return failed(
        'data',
        `The column ${error.message} has a type that a cluster does not load. Use INSERT.`,
      )
    }
  }
  return { rows, counts }
}

async function inserted(
  { isTrial, reading, parts: [first] }: StreamOrder,
  { columns, staged, run }: TableScene & { readonly staged: StagedRows },
): Promise<Outcome> {
  const { rows, counts } = staged
  const file = { reading, rejected: [], parts: counts }
  const sql = first ? insertText({ table: first.table, columns, rows }, LONGEST_TEXT) : null
  if (sql === null) return failed('data', TOO_LARGE)
  if (isTrial || rows.length === 0) return { ...finished(0), file }
  const ending = await run(sql, { takenFor: 'writes' })
  if (ending.state === 'lost') return ending
  if (ending.state !== 'failed') return { ...ending, file }
  // The place is one in our text.
  const { offset: _, ...error } = ending.error
  return { ...ending, error, file }
}
