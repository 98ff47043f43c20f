import { refused } from '../refused.ts'
import type { AnalyzedText } from './analyze.ts'
import { nameAt } from './names.ts'
import type { ReadStatement } from './statement-kind.ts'
import { findOutside, isQueryAt, type SqlToken } from './tokens.ts'

const WHERE = new Set(['WHERE'])
const WHEN = new Set(['WHEN'])
const USING = new Set(['USING'])

const unreadable = () =>
  refused('permission', 'The objects of this statement could not be determined, so it did not run.')

/**
 * A query that reads all that a statement reads which changes rows, and nothing else. Trino tells nothing of such a
 * statement before it runs. Its grammar is small enough to be taken apart at words that can be nothing else in it.
 */
export function probeOf(statement: ReadStatement): AnalyzedText | null {
  const { kind } = statement
  if (kind === 'insert') return ofInsert(statement)
  if (kind === 'delete') return ofDelete(statement)
  if (kind === 'update') return ofUpdate(statement)
  return kind === 'merge' ? ofMerge(statement) : null
}

function textOf({ sql, tokens }: ReadStatement, first: number, until = tokens.length): string {
  const [start, end] = [tokens[first]?.start, tokens[until - 1]?.end]
  if (start === undefined || end === undefined || until <= first) throw unreadable()
  return sql.slice(start, end)
}

function behindName({ tokens }: ReadStatement, at: number): number {
  const name = nameAt(tokens, at)
  if (!name) throw refused('syntax', 'The name of the table in this statement cannot be read.')
  return name.behind
}

/** `INSERT INTO t (a, b) SELECT …`: what is behind the names of the columns. */
function ofInsert(statement: ReadStatement): AnalyzedText {
  const { tokens } = statement
  let at = behindName(statement, 2)
  if (tokens[at]?.text === '(' && !isQueryAt(tokens, at + 1))
    at = tokens.findIndex(({ text }, on) => on > at && text === ')') + 1
  if (at === 0 || !isQueryAt(tokens, at)) throw unreadable()
  return { sql: textOf(statement, at), from: tokens[at]?.start ?? 0 }
}

/** `DELETE FROM t WHERE …`: the same with SELECT. */
function ofDelete(statement: ReadStatement): AnalyzedText {
  return { sql: `SELECT 1 FROM ${textOf(statement, 2)}`, from: null }
}

/** `UPDATE t SET a = x, b = y WHERE …`: the values that are set, of the rows for which they are set. */
function ofUpdate(statement: ReadStatement): AnalyzedText {
  const { tokens } = statement
  const set = behindName(statement, 1)
  if (tokens[set]?.text !== 'SET') throw unreadable()
  const where = findOutside(tokens, WHERE, set)
  const until = where === -1 ? tokens.length : where
  const values = assignments(tokens, set + 1, until).map(
    ([first, end]) => `(\n${textOf(statement, first, end)}\n)`,
  )
  const condition = where === -1 ? '' : `\n${textOf(statement, where)}`
  return { sql: `SELECT ${values.join(', ')} FROM ${textOf(statement, 1, set)}${condition}`, from: null }
}

/** Where the values begin and end. */
function assignments(
  tokens: readonly SqlToken[],
  from: number,
  until: number,
): [first: number, end: number][] {
  const found: [number, number][] = []
  for (let at = from; at < until;) {
    const comma = findComma(tokens, at, until)
    const [name, sign] = [tokens[at], tokens[at + 1]]
    if ((name?.kind !== 'word' && name?.kind !== 'name') || sign?.text !== '=' || at + 2 >= comma)
      throw unreadable()
    found.push([at + 2, comma])
    at = comma + 1
  }
  if (found.length === 0) throw unreadable()
  return found
}

function findComma(tokens: readonly SqlToken[], from: number, until: number): number {
  let depth = 0
  for (let at = from; at < until; at++) {
    const { text } = tokens[at] ?? { text: '' }
    if (text === '(' || text === '[') depth++
    else if (text === ')' || text === ']') depth--
    else if (text === ',' && depth === 0) return at
  }
  return until
}

/** `MERGE INTO t USING s ON … WHEN …`: both, joined. What is done then may compute, but ask for nothing further. */
function ofMerge(statement: ReadStatement): AnalyzedText {
  const { tokens } = statement
  const using = findOutside(tokens, USING, 2)
  const when = findOutside(tokens, WHEN, using + 1)
  if (using === -1 || when === -1) throw unreadable()
  if (tokens.slice(when).some(({ kind, text }) => kind === 'word' && (text === 'SELECT' || text === 'TABLE')))
    throw refused('permission', 'A query behind WHEN is not supported here. Put it into USING.')
  const join = `${textOf(statement, 2, using)} JOIN ${textOf(statement, using + 1, when)}`
  return { sql: `SELECT 1 FROM ${join}`, from: null }
}
