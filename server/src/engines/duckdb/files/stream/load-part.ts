import { type DuckDBConnection, quotedIdentifier, quotedString } from '@duckdb/node-api'
import type { Rejection, StreamCounts } from '../../../engine/files.ts'
import { StatementRefused } from '../../errors.ts'
import { forgetRejects, rejectsIn } from '../csv-rejects.ts'
import { leavingOut, newRejects, noting, type Rejects, tableOf } from '../csv-source.ts'
import { textRows } from '../text-rows.ts'
import type { Mapping, MappedColumn } from './column-mapping.ts'
import { HAS_NO_COLUMN, IS_BROKEN, type OpenedPart, rawName, ROW_NUMBER } from './raw-rows.ts'
import { hasNul, isOverflow, rawSource, storable, typedSource } from './stream-source.ts'
import { tableText } from '../target-table.ts'

/** A part with all that its rows are made of. */
export interface ReadyPart extends OpenedPart {
  readonly mapping: Mapping
  /** In the engine's words. */
  readonly where: string | null
  readonly isWhereVolatile: boolean
}

/** Not every row fits as it is. Nothing can be said of the transaction in which this was found. */
export class RowsDoNotFit extends Error {
  override readonly name = 'RowsDoNotFit'
}

/** More of the rows do not fit than may be left out. */
export class TooManyFiltered extends StatementRefused {
  constructor(
    readonly counts: StreamCounts,
    mostFiltered: number,
  ) {
    const [first] = counts.rejected
    const where = first ? ` The first is row ${first.line ?? '?'}: ${first.reason}` : ''
    super({
      kind: 'data',
      message: `too many filtered rows: ${counts.filtered} of ${counts.total}, and max_filter_ratio is ${mostFiltered}. Nothing was loaded.${where}`,
    })
  }
}

/** What is wrong with a row is noted for each of its columns. */
const MOST_NOTED = 1_000_000

const insertInto = ({ part, mapping }: ReadyPart, select: string): string =>
  `INSERT INTO ${tableText(part)} (${mapping.targets.map(({ name }) => quotedIdentifier(name)).join(', ')}) ${select}`

/** Reads all values as what they are to be: the fastest way, for data in which everything fits. */
export async function loadWhole(connection: DuckDBConnection, ready: ReadyPart): Promise<StreamCounts> {
  const { part, mapping } = ready
  const rejects = newRejects()
  const isCsv = part.reading.format === 'csv'
  const source = typedSource(ready, mapping.sources, isCsv ? noting(rejects, 1) : [])
  const values = mapping.targets.map(({ value, name }) => `${value} AS ${quotedIdentifier(name)}`).join(', ')
  const { rowsChanged } = await connection.run(
    insertInto(
      ready,
      `SELECT ${mapping.targets.map(storable).join(', ')} FROM (SELECT ${values} FROM (${source}) AS source)`,
    ),
  )
  if (isCsv) {
    const [[count] = []] = await textRows(
      connection,
      `SELECT count(*)::VARCHAR FROM ${tableOf(rejects.errors)}`,
    )
    await forgetRejects(connection, rejects)
    if (count !== '0') throw new RowsDoNotFit()
  }
  if (part.wholeRows !== null && part.wholeRows !== rowsChanged) throw new RowsDoNotFit()
  return { total: rowsChanged, loaded: rowsChanged, filtered: 0, unselected: 0, rejected: [] }
}

/** The rows of a part as the table would have them, and which of them it can have. */
interface Judged {
  /** Everything of a row, with the columns of the table by their names. */
  readonly rows: string
  readonly isBad: string
  readonly isSelected: string
  /** What is wrong with a row that is bad, and with which column and value. */
  readonly why: readonly {
    readonly when: string
    readonly column: MappedColumn | null
    readonly reason: string
  }[]
}

const MOST_NAMED = 5

/** Keys of JSON are compared as they are written, so that a row of NULL is most likely a mistake. */
function noColumnOf(sources: Mapping['sources']): string {
  const names = sources.slice(0, MOST_NAMED).map(({ name }) => name)
  const more = sources.length > MOST_NAMED ? ', …' : ''
  return `The record has none of the columns ${names.join(', ')}${more}. Upper and lower case differ in keys of JSON.`
}

/** How a text becomes infinite that says so itself. */
const SAYS_INFINITE = `'(?i)inf'`

/** It is there, and not of the type of its column. */
const isMisfit = ({ source, name }: MappedColumn): string =>
  `(${rawName(source ?? 0)} IS NOT NULL AND ${quotedIdentifier(name)} IS NULL)`

const tried = (value: string, isVolatile: boolean): string => (isVolatile ? value : `TRY(${value})`)

function judged(ready: ReadyPart, csvErrors: readonly string[]): Judged {
  const { part, mapping, where, isWhereVolatile } = ready
  const { sources, targets } = mapping
  const typed = sources.map(({ name, type }, at) => {
    const cast = `TRY_CAST(${rawName(at)} AS ${type})`
    const overflow = isOverflow(cast, type)
    const says = `system.main.regexp_matches(${rawName(at)}::VARCHAR, ${SAYS_INFINITE})`
    const value = overflow ? `CASE WHEN ${overflow} AND NOT ${says} THEN NULL ELSE ${cast} END` : cast
    return `${value} AS ${quotedIdentifier(name)}`
  })
  const read = `SELECT *, ${typed.join(', ')} FROM (${rawSource(ready, sources, csvErrors)})`
  const values = targets.map(({ name, value, type, source, isVolatile }) => {
    const made = source === null ? `TRY_CAST(${tried(value, isVolatile)} AS ${type})` : value
    return `${made} AS ${quotedIdentifier(name)}`
  })
  const why = [
    { when: IS_BROKEN, column: null, reason: 'This is not a JSON object.' },
    { when: HAS_NO_COLUMN, column: null, reason: noColumnOf(sources) },
    ...targets.flatMap((column) => {
      const when = hasNul(quotedIdentifier(column.name), column.type)
      const reason = `The value of ${column.name} has a NUL character. Remove it.`
      return when === null ? [] : [{ when: `coalesce(${when}, false)`, column, reason }]
    }),
    ...targets.flatMap((column) => {
      const { source, name, type, isNullable } = column
      const misfit = {
        when: isMisfit(column),
        column,
        reason: `The value of ${name} is not of the type ${type}.`,
      }
      const missing = { when: `${quotedIdentifier(name)} IS NULL`, column, reason: `${name} cannot be NULL.` }
      return [...(part.isStrict && source !== null ? [misfit] : []), ...(isNullable ? [] : [missing])]
    }),
  ]
  const raw = [...sources.map((_, at) => rawName(at)), IS_BROKEN, HAS_NO_COLUMN, ROW_NUMBER]
  return {
    rows: `(SELECT ${[...raw, ...values].join(', ')} FROM (${read}) AS source)`,
    isBad: `(${why.map(({ when }) => when).join(' OR ')})`,
    isSelected: where === null ? 'true' : `coalesce(${tried(`(${where}\n)`, isWhereVolatile)}, false)`,
    why,
  }
}

/** What could not even be taken apart into values. */
async function unreadRows(
  connection: DuckDBConnection,
  rejects: Rejects,
  reported: number,
): Promise<{ readonly count: number; readonly rejected: readonly Rejection[] }> {
  const [[count] = []] = await textRows(
    connection,
    `SELECT system.main.count(DISTINCT line)::VARCHAR FROM ${tableOf(rejects.errors)}`,
  )
  const rejected = reported > 0 ? await rejectsIn(connection, rejects, reported) : []
  return { count: Number(count ?? 0), rejected }
}

async function badRows(
  connection: DuckDBConnection,
  { rows, isBad, why }: Judged,
  most: number,
): Promise<readonly Rejection[]> {
  if (most <= 0) return []
  const pick = (of: (one: Judged['why'][number]) => string): string =>
    `CASE ${why.map((one) => `WHEN ${one.when} THEN ${of(one)}`).join(' ')} END`
  const found = await textRows(
    connection,
    `SELECT ${ROW_NUMBER}::VARCHAR, ${pick(({ column }) => (column ? quotedString(column.name) : 'NULL'))},
       ${pick(({ reason }) => quotedString(reason))},
       ${pick(({ column }) => (column?.source == null ? 'NULL' : `system.main.left(${rawName(column.source)}::VARCHAR, 500)`))}
     FROM ${rows} WHERE ${isBad} ORDER BY ${ROW_NUMBER} LIMIT ${most}`,
  )
  return found.map(([line, column, reason, text]) => ({
    line: Number(line),
    column: column ?? null,
    reason: reason ?? '',
    text: text ?? null,
  }))
}

/** Counts what fits first, then loads that: rows that do not fit are left out within the bounds of the part. */
export async function loadFitting(connection: DuckDBConnection, ready: ReadyPart): Promise<StreamCounts> {
  const { part, mapping } = ready
  const rejects = newRejects()
  const isCsv = part.reading.format === 'csv'
  const looked = judged(ready, isCsv ? noting(rejects, MOST_NOTED) : [])
  // All values that are loaded are counted: a row is found to be broken only by those of its values that are read.
  const values = mapping.targets.map(({ name }) => quotedIdentifier(name))
  const [[rows, bad, unselected] = []] = await textRows(
    connection,
    `SELECT count(*)::VARCHAR, system.main.count_if(${looked.isBad})::VARCHAR,
       system.main.count_if(NOT ${looked.isBad} AND NOT ${looked.isSelected})::VARCHAR,
       ${values.map((value) => `system.main.count(${value})::VARCHAR`).join(', ')} FROM ${looked.rows}`,
  )
  const unread = isCsv ? await unreadRows(connection, rejects, part.reported) : { count: 0, rejected: [] }
  if (isCsv) await forgetRejects(connection, rejects)
  const found =
    Number(bad) > 0 ? await badRows(connection, looked, part.reported - unread.rejected.length) : []
  const counts: StreamCounts = {
    total: Number(rows) + unread.count,
    loaded: 0,
    filtered: Number(bad) + unread.count,
    unselected: Number(unselected),
    rejected: [...unread.rejected, ...found],
  }
  const judgedRows = counts.total - counts.unselected
  if (counts.filtered > 0 && counts.filtered / judgedRows > part.mostFiltered)
    throw new TooManyFiltered(counts, part.mostFiltered)
  const again = judged(ready, isCsv ? leavingOut : [])
  const { rowsChanged } = await connection.run(
    insertInto(
      ready,
      `SELECT ${values.join(', ')} FROM ${again.rows} WHERE NOT ${again.isBad} AND ${again.isSelected}`,
    ),
  )
  return { ...counts, loaded: rowsChanged }
}
