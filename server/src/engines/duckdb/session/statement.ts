import { randomUUID } from 'node:crypto'
import {
  type DuckDBConnection,
  type DuckDBExtractedStatements,
  type DuckDBPreparedStatement,
  StatementType,
} from '@duckdb/node-api'
import { prepareCompound } from './compound.ts'
import { refuseInternalNames } from './effects.ts'
import { type FailedText, StatementRefused, readReport } from '../errors.ts'
import { isNarrow } from '../rows/narrow-rows.ts'
import { refuseGuardedPlaces } from '../guard/guard.ts'
import { firstWord } from '../guard/first-words.ts'
import {
  explainedType,
  isAnalysed,
  refuseForbidden,
  refuseHostSettings,
  refuseSecrets,
} from '../guard/forbidden.ts'

/** A statement that is bound and may be run, and what is needed to read what comes out. */
export interface ReadyStatement {
  readonly prepared: DuckDBPreparedStatement
  /** What DuckDB's parser takes it for. */
  readonly type: StatementType
  /** Names as the user wrote them; null where the result's own are right. */
  readonly names: readonly string[] | null
  /** What was bound, for the places of errors. */
  readonly text: FailedText
  /** It changes data or what is defined. */
  readonly writes: boolean
  /** It is selected from: its rows stay within what was asked for. */
  readonly isCapped: boolean
  /** On its own it is one statement to DuckDB, and one to select from: that is true of the same text at any time. */
  readonly isOneSelect: boolean
  /** It gives no more rows than this, when it is capped. */
  readonly cap: number
  /** Its first column is the number of rows, in a row of its own that comes before them. */
  readonly isCounted: boolean
  /** Its last column is NULL in every row but one, which is not its own and comes behind the others if they have an order. */
  readonly isMarked: boolean
}

/** A failure of a text that is not the user's alone. */
export class FailedIn extends Error {
  override readonly name = 'FailedIn'

  constructor(
    override readonly cause: unknown,
    readonly text: FailedText,
  ) {
    super('A statement failed.')
  }
}

export interface ReadyOptions {
  /** At most; 'all' are streamed, and the last one is marked. */
  readonly rows: number | 'all'
  /** Rows that their types bound to little memory need not be counted, which takes longer than to bind a text once more. */
  readonly counted: boolean | 'unless narrow'
  /** The same text was found to be one before, and need not be looked at again. */
  readonly isOneSelect: boolean
}

/**
 * Parses and binds one statement. A select is capped by selecting from it, which DuckDB turns into an early stop;
 * anything else runs unchanged. The wrapped text is tried only after the user's own text has proved to be one
 * statement, so that no text can close our bracket and run more.
 */
export async function readyStatement(
  connection: DuckDBConnection,
  sql: string,
  { rows, counted, isOneSelect }: ReadyOptions,
): Promise<ReadyStatement> {
  const extract = () => extractStatement(connection, sql)
  const found = isOneSelect ? null : await extract()
  const pivot = found !== null && found.count > 1
  if (found && !pivot) await refuseManyNamed(connection, sql)
  const capped =
    !CHANGES.has(firstWord(sql)) && (await prepareSelect(connection, sql, { rows, counted, pivot }))
  if (capped) {
    refuseManyColumns(capped.prepared.columnCount - (capped.isCounted || capped.isMarked ? 1 : 0))
    const names = pivot ? null : await originalNames(capped, async () => found ?? (await extract()))
    const isOne = !pivot
    const type = StatementType.SELECT
    const cap = rows === 'all' ? Number.POSITIVE_INFINITY : rows
    return { ...capped, type, names, writes: false, isCapped: true, cap, isOneSelect: isOne }
  }
  if (pivot) return readyAsItIs(connection, sql, await prepareCompound(connection, sql))
  return readyAsItIs(connection, sql, await (found ?? (await extract())).prepare(0))
}

interface SelectOptions extends Omit<ReadyOptions, 'isOneSelect'> {
  readonly pivot: boolean
}

/** Null where the text is not something to select from. */
async function prepareSelect(
  connection: DuckDBConnection,
  sql: string,
  { rows, counted, pivot }: SelectOptions,
): Promise<Capped | null> {
  const prepare = (cap: Cap) => prepareCapped(connection, sql, { cap, pivot })
  if (rows === 'all') return prepare(counted ? countedCap(rows) : MARKED)
  return (
    (counted === 'unless narrow' && !pivot && (await prepareNarrow(connection, sql, rows))) ||
    (counted && (await prepare(countedCap(rows)))) ||
    prepare(plainCap(rows))
  )
}

/** Each is bound, named and shown separately, and what is put around a select handles them in pairs. */
const MOST_COLUMNS = 4096

export function refuseManyColumns(columnCount: number): void {
  if (columnCount <= MOST_COLUMNS) return
  const message = `This statement returns ${columnCount} columns, and the maximum is ${MOST_COLUMNS}. Select the columns that you need.`
  throw new StatementRefused({ kind: 'resource', message })
}

const SELECTS = new Set(['SELECT', 'FROM', 'WITH'])
/** Nothing can be selected from what begins with one of these: it need not be tried. */
const CHANGES = new Set(['ALTER', 'CREATE', 'DELETE', 'DROP', 'INSERT', 'MERGE', 'TRUNCATE', 'UPDATE'])

/** A text that names so many columns is long. Alone it is bound in a moment, with something around it in seconds. */
async function refuseManyNamed(connection: DuckDBConnection, sql: string): Promise<void> {
  if (sql.length <= 2 * MOST_COLUMNS || !SELECTS.has(firstWord(sql))) return
  const alone = await connection.prepare(sql)
  const { columnCount } = alone
  alone.destroySync()
  refuseManyColumns(columnCount)
}

const AS_IT_IS = {
  names: null,
  isCapped: false,
  isOneSelect: false,
  cap: Number.POSITIVE_INFINITY,
  isCounted: false,
  isMarked: false,
} as const

async function readyAsItIs(
  connection: DuckDBConnection,
  sql: string,
  prepared: DuckDBPreparedStatement,
): Promise<ReadyStatement> {
  const type = await typeOf(connection, sql, prepared)
  const isExplain = type === StatementType.EXPLAIN
  const acting = isExplain ? await explainedType(connection, sql) : type
  refuseForbidden(acting)
  refuseHostSettings(sql, acting)
  refuseSecrets(sql)
  const writes = WRITES.has(acting) && (!isExplain || isAnalysed(sql))
  return { ...AS_IT_IS, prepared, type, text: { sql, shift: 0 }, writes }
}

/** DuckDB calls some PRAGMAs a select; they cannot be selected from. */
async function typeOf(
  connection: DuckDBConnection,
  sql: string,
  { statementType }: DuckDBPreparedStatement,
): Promise<StatementType> {
  const isSelect = statementType !== StatementType.SELECT || (await canBeSelectedFrom(connection, sql))
  return isSelect ? statementType : StatementType.PRAGMA
}

async function canBeSelectedFrom(connection: DuckDBConnection, sql: string): Promise<boolean> {
  const { before, after } = plainCap(1)
  for await (const body of bodies(connection, sql)) {
    try {
      await connection.extractStatements(`${before}${body}${after}`)
      return true
    } catch (error) {
      if (readReport(error).type !== 'Parser') throw error
    }
  }
  return false
}

const { INSERT, UPDATE, DELETE, MERGE_INTO, CREATE, CREATE_FUNC, ALTER, DROP } = StatementType
const WRITES = new Set([INSERT, UPDATE, DELETE, MERGE_INTO, CREATE, CREATE_FUNC, ALTER, DROP])

/** May hold more than one when DuckDB makes several out of a single PIVOT. */
async function extractStatement(
  connection: DuckDBConnection,
  sql: string,
): Promise<DuckDBExtractedStatements> {
  refuseText(sql)
  try {
    return await connection.extractStatements(sql)
  } catch (error) {
    if (!isEmptyText(error)) throw error
    throw new StatementRefused({ kind: 'syntax', message: 'There is no statement in this text.' })
  }
}

/** What no text of any user may contain. */
export function refuseText(sql: string): void {
  refuseUnreadable(sql)
  refuseInternalNames(sql)
  refuseGuardedPlaces(sql)
}

/** DuckDB stops reading at U+0000 and runs what it has: what follows would escape the checks of the text. */
function refuseUnreadable(sql: string): void {
  const offset = sql.search(/\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/)
  if (offset < 0) return
  const message =
    'The statement contains an invalid character: U+0000 or half of a surrogate pair. Remove it.'
  throw new StatementRefused({ kind: 'syntax', message, offset })
}

// The driver's only words about a text with no statement in it.
function isEmptyText(error: unknown): boolean {
  return readReport(error).message === 'Error in native callback'
}

/** What is put around a statement to get no more than so many rows of it. */
interface Cap {
  readonly before: string
  readonly after: string
  readonly isCounted: boolean
  readonly isMarked: boolean
}

/** A text that is one select, with no more rows of it than this. */
export function cappedText(sql: string, rows: number): { readonly text: string; readonly shift: number } {
  const { before, after } = plainCap(rows)
  return { text: `${before}${withoutEnd(sql)}${after}`, shift: before.length }
}

const withoutEnd = (sql: string): string => sql.replace(/[\s;]+$/, '')

function plainCap(rows: number): Cap {
  return { before: 'SELECT * FROM (', after: `\n) LIMIT ${rows}`, isCounted: false, isMarked: false }
}

/**
 * Nothing is computed before it is read, and a row of ours behind the others says that none is missing. Its column has a
 * name that no column of the statement can have.
 */
const MARKED: Cap = {
  before: 'SELECT * FROM (',
  after: `\n) UNION ALL BY NAME SELECT true AS "${randomUUID()}"`,
  isCounted: false,
  isMarked: true,
}

const ROWS = '"boathouse rows"'

/**
 * DuckDB's streams end without a word when something fails. Therefore all rows are computed before the first one
 * comes out, so that failures of the statement are reported; and they are counted, so that a missing one is noticed.
 * They are held in memory that DuckDB manages, and on disk, unlike its finished results.
 */
function countedCap(rows: number | 'all'): Cap {
  const limit = rows === 'all' ? '' : ` LIMIT ${rows}`
  return {
    before: `WITH ${ROWS} AS MATERIALIZED (SELECT * FROM (`,
    // A name that no column of the statement can have: the two would become one.
    after: `\n)${limit}) SELECT count(*) AS "${randomUUID()}" FROM ${ROWS} UNION ALL BY NAME FROM ${ROWS}`,
    isCounted: true,
    isMarked: false,
  }
}

type Capped = Pick<ReadyStatement, 'prepared' | 'text' | 'isCounted' | 'isMarked'>

/** After others DuckDB ends the transaction, and says no more than that of the next attempt. */
const HARMLESS = new Set(['Binder', 'Catalog', 'Connection', 'Parameter Not Allowed', 'Permission', 'Syntax'])

/** Null where the text is not something to select from, or fails: it is then prepared as it is. */
async function prepareCapped(
  connection: DuckDBConnection,
  sql: string,
  { cap, pivot }: { cap: Cap; pivot: boolean },
): Promise<Capped | null> {
  const text = { sql, shift: cap.before.length }
  for await (const body of bodies(connection, sql)) {
    try {
      const capped = `${cap.before}${body}${cap.after}`
      const prepared = await (pivot ? prepareCompound(connection, capped) : connection.prepare(capped))
      return { prepared, text, isCounted: cap.isCounted, isMarked: cap.isMarked }
    } catch (error) {
      const { type } = readReport(error)
      if (type === 'Parser') continue
      if (pivot || !HARMLESS.has(type)) throw new FailedIn(error, text)
      return null
    }
  }
  return null
}

/** Null where there may be too much of it. */
async function prepareNarrow(
  connection: DuckDBConnection,
  sql: string,
  rows: number,
): Promise<Capped | null> {
  const capped = await prepareCapped(connection, sql, { cap: plainCap(rows), pivot: false })
  if (!capped || isNarrow(capped.prepared, rows)) return capped
  capped.prepared.destroySync()
  return null
}

// More semicolons than this behind the last statement, in comments, are not looked through.
const MOST_ENDS_TRIED = 8

/** The text without its closing semicolon, wherever that is. */
async function* bodies(connection: DuckDBConnection, sql: string): AsyncGenerator<string> {
  const trimmed = withoutEnd(sql)
  yield trimmed
  let end = trimmed.lastIndexOf(';')
  for (let tried = 0; end > 0 && tried < MOST_ENDS_TRIED; tried++) {
    if (await holdsNoStatement(connection, trimmed.slice(end))) yield trimmed.slice(0, end)
    end = trimmed.lastIndexOf(';', end - 1)
  }
}

async function holdsNoStatement(connection: DuckDBConnection, sql: string): Promise<boolean> {
  try {
    await connection.extractStatements(sql)
    return false
  } catch (error) {
    return isEmptyText(error)
  }
}

/** Of a select that is selected from: DuckDB numbers the names that come again. */
export const mayBeRenamed = (names: readonly string[]): boolean => names.some((name) => /_\d+$/.test(name))

/** DuckDB renames a repeated column of the wrapped select; only then is the user's own bound as well. */
async function originalNames(
  { prepared, isCounted, isMarked }: Capped,
  extract: () => Promise<DuckDBExtractedStatements>,
): Promise<readonly string[] | null> {
  const names = columnNames(prepared).slice(isCounted ? 1 : 0, isMarked ? -1 : undefined)
  if (!mayBeRenamed(names)) return null
  const original = await (await extract()).prepare(0)
  const originals = columnNames(original)
  original.destroySync()
  return originals
}

function columnNames(prepared: DuckDBPreparedStatement): string[] {
  return Array.from({ length: prepared.columnCount }, (_, at) => prepared.columnName(at))
}

/**
 * Parses and binds one statement as it is, for what it would give and take. Null for a text of which DuckDB makes several
 * statements, as of a PIVOT: some of them run before the last is bound.
 */
export async function describedStatement(
  connection: DuckDBConnection,
  sql: string,
): Promise<Pick<ReadyStatement, 'prepared' | 'type'> | null> {
  const found = await extractStatement(connection, sql)
  if (found.count > 1) return null
  await refuseManyNamed(connection, sql)
  return readyAsItIs(connection, sql, await found.prepare(0))
}

export function hasParameters(): StatementRefused {
  const message = 'The statement has parameters such as ? or $1. Replace them with values.'
  return new StatementRefused({ kind: 'syntax', message })
}
