import { readdirSync, readFileSync } from 'node:fs'

const folder = new URL('.', import.meta.url)

/** Every line that is neither empty nor a heading. */
const linesOf = (file: string): string[] =>
  readFileSync(new URL(file, folder), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '))

export const TABLES: readonly string[] = linesOf('tables.sql')

export interface Statement {
  readonly tool: string
  readonly sql: string
}

/** In the order in which they run: those of a tool may build on each other. */
export const CORPUS: readonly Statement[] = readdirSync(folder)
  .filter((file) => file.endsWith('.sql') && file !== 'tables.sql')
  .sort()
  .flatMap((file) => linesOf(file).map((sql) => ({ tool: file.replace(/\.sql$/, ''), sql })))

/** All others tell only whether they ended well. */
export const GIVES_ROWS = /^\(?\s*(?:select|with)\b/i

export type Cell = string | null

/** What a statement gave: rows with the names of their columns, or that it failed. */
export interface Answer {
  readonly names: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}
export const FAILED = 'failed'
export type Recorded = Answer | typeof FAILED

/** What MariaDB answered when it was asked last, by the statement. */
export const readRecorded = (): Readonly<Record<string, Recorded>> =>
  JSON.parse(readFileSync(new URL('recorded.json', folder), 'utf8')) as Record<string, Recorded>

/** Statements whose answers differ, and why. */
export const readDifferences = (): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(new URL('differences.json', folder), 'utf8')) as Record<string, string>

const NUMBER = /^-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i
const DIGITS = 12

function asJson(text: string): string | null {
  if (!/^[[{]/.test(text)) return null
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return null
  }
}

/**
 * The same value, written alike: truth is 1 or 0, numbers have no zeros at their end and 12 digits that count, moments no
 * zeros behind their seconds, JSON no blanks.
 */
function alike(cell: Cell): Cell {
  if (cell === null) return null
  const text = cell === 'true' ? '1' : cell === 'false' ? '0' : cell
  if (NUMBER.test(text)) return String(Number(Number(text).toPrecision(DIGITS)))
  return asJson(text) ?? text.replace(/(:\d\d)\.0+$/, '$1')
}

const rowsOf = ({ rows }: Answer): string => JSON.stringify(rows.map((row) => row.map(alike)))

export const areAlike = (ours: Recorded, theirs: Recorded): boolean => {
  if (ours === FAILED || theirs === FAILED) return ours === theirs
  // Without a row their client does not tell the names.
  const hasNames = theirs.rows.length > 0
  return (
    rowsOf(ours) === rowsOf(theirs) &&
    (!hasNames || JSON.stringify(ours.names) === JSON.stringify(theirs.names))
  )
}
