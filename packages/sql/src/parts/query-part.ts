import { matchKind } from '../kinds/match-kind.ts'
import { keywordAt, offsetOf, type Piece } from '../text/piece.ts'
import { openTokenReader, type TokenReader } from '../text/token-reader.ts'

/** A part of a statement: its place in the text, and the indices of its tokens, `until` exclusive. */
export interface StatementPart {
  readonly start: number
  readonly end: number
  readonly first: number
  readonly until: number
}

const QUERY_WORDS = new Set(['SELECT', 'WITH', 'FROM', 'VALUES', 'TABLE', 'PIVOT', 'UNPIVOT', '('])

/** The query inside of a statement that stores, defines or inserts what it gives; null where there is none in one piece. */
export function queryPart(statement: Piece, from = statement.first): StatementPart | null {
  const reader = openTokenReader(statement, from)
  const { kind, length } = matchKind(reader.statement, from)
  if (kind === 'insert') return insertedPart(reader)
  if (kind !== 'create-table' && kind !== 'create-view') return null
  reader.skip(length)
  const first = find(reader.statement, from + length, (at) => keywordAt(reader.statement, at) === 'AS')
  if (first === null) return null
  const until = kind === 'create-table' ? withoutData(reader.statement) : reader.statement.until
  return part(reader.statement, first + 1, until)
}

function part(statement: Piece, first: number, until: number): StatementPart | null {
  if (first >= until) return null
  const end = (statement.tokens.ends[until - 1] ?? 0) - statement.start
  return { start: offsetOf(statement, first), end, first, until }
}

/** The next token outside of parentheses that is sought. */
function find(statement: Piece, from: number, isSought: (at: number) => boolean): number | null {
  for (let at = from; at < statement.until; at++) {
    if (isSought(at)) return at
    if (keywordAt(statement, at) === '(') at = Math.max(at, statement.tokens.partners[at] ?? -1)
  }
  return null
}

/** CREATE TABLE … AS … WITH [NO] DATA */
function withoutData(statement: Piece): number {
  const { until } = statement
  if (keywordAt(statement, until - 1) !== 'DATA') return until
  const before = keywordAt(statement, until - 2) === 'NO' ? until - 3 : until - 2
  return keywordAt(statement, before) === 'WITH' ? before : until
}

/** INSERT [OR …] INTO table [AS name] [(columns)] [BY NAME] query [ON CONFLICT …] [RETURNING …] */
function insertedPart(reader: TokenReader): StatementPart | null {
  const { statement } = reader
  const into = find(statement, statement.first, (at) => keywordAt(statement, at) === 'INTO')
  if (into === null) return null
  const first = find(statement, into + 1, (at) => isQueryAt(statement, at))
  if (first === null) return null
  const end = find(statement, first, (at) => {
    const word = keywordAt(statement, at)
    return word === 'RETURNING' || (word === 'ON' && keywordAt(statement, at + 1) === 'CONFLICT')
  })
  return part(statement, first, end ?? statement.until)
}

function isQueryAt(statement: Piece, at: number): boolean {
  const word = keywordAt(statement, at)
  return word === '(' ? QUERY_WORDS.has(keywordAt(statement, at + 1)) : QUERY_WORDS.has(word)
}
