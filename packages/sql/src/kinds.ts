import type { PairedTokens } from './common-table-expressions.ts'
import { readCommonTableExpressions } from './common-table-expressions.ts'
import { KIND_PATTERNS } from './kind-patterns.ts'
import { matchParentheses } from './parentheses.ts'
import type { SignificantToken } from './significant-tokens.ts'
import { significantTokens } from './significant-tokens.ts'
import type { StatementClass, StatementKind } from './statement-kinds.ts'
import { STATEMENT_KINDS } from './statement-kinds.ts'
import { matchPattern, parsePattern } from './word-pattern.ts'

export interface Classification {
  kind: StatementKind
  class: StatementClass
  /** What an EXPLAIN is about. */
  explained?: Explained
}

export interface Explained {
  kind: StatementKind
  /** The explained statement is run, with all it does. */
  analyze: boolean
  /** Where the explained statement begins in the text. */
  start: number
}

const PATTERNS = KIND_PATTERNS.map(([words, kind]) => ({ pattern: parsePattern(words), kind }))

/** The kind of the words at a token, and how many of them say so. */
export function matchKind(
  tokens: readonly SignificantToken[],
  at: number,
): { kind: StatementKind; length: number } {
  for (const { pattern, kind } of PATTERNS) {
    const length = matchPattern(pattern, tokens, at)
    if (length > 0) return { kind, length }
  }
  return { kind: 'unknown', length: 0 }
}

/** The kind of one statement. Letter case, comments and hints make no difference. */
export function kindOf(statementText: string): StatementKind {
  return classify(statementText).kind
}

/** The kind of one statement and what may be done with it; a text of several statements is 'unknown'. */
export function classify(statementText: string): Classification {
  const tokens = significantTokens(statementText)
  if (!isOneStatement(statementText, tokens)) return { kind: 'unknown', class: 'forbidden' }
  const paired = { text: statementText, tokens, partners: matchParentheses(tokens) }
  if (tokens[0]?.keyword === 'EXPLAIN') return classifyExplain(paired)
  const kind = kindAt(paired, 0)
  return { kind, class: STATEMENT_KINDS[kind] }
}

/** The engine ends a text at a NUL and reads on behind a lone backtick, so neither text is what it seems. */
function isOneStatement(text: string, tokens: readonly SignificantToken[]): boolean {
  if (text.includes('\0')) return false
  const semicolon = tokens.findIndex((token) => token.keyword === ';')
  if (semicolon !== -1 && tokens.slice(semicolon).some((token) => token.keyword !== ';')) return false
  const last = tokens.at(-1)
  return !(last?.unterminated && text.charAt(last.start) === '`')
}

function kindAt(paired: PairedTokens, at: number): StatementKind {
  const { tokens } = paired
  let start = at
  while (tokens[start]?.keyword === '(') start++
  const kind = start < tokens.length ? verbKindAt(paired, start) : 'unknown'
  // Only a query may stand in parentheses.
  return start > at && STATEMENT_KINDS[kind] !== 'reads' ? 'unknown' : kind
}

const AFTER_WITH = new Set<StatementKind>([
  'select',
  'insert',
  'update',
  'delete',
  'merge',
  'pivot',
  'unpivot',
])

function verbKindAt(paired: PairedTokens, at: number): StatementKind {
  if (paired.tokens[at]?.keyword !== 'WITH') return matchKind(paired.tokens, at).kind
  const list = readCommonTableExpressions(paired, at)
  if (list === null) return 'unknown'
  if (paired.tokens[list.next]?.keyword === '(') return 'select'
  const { kind } = matchKind(paired.tokens, list.next)
  return AFTER_WITH.has(kind) ? kind : 'unknown'
}

const EXPLAIN_WORDS = new Set(['ANALYZE', 'ANALYSE', 'VERBOSE', 'LOGICAL', 'COSTS'])
const QUERY_WORDS = new Set(['SELECT', 'WITH', 'FROM', 'VALUES', 'TABLE', 'PIVOT', 'UNPIVOT', '('])

function classifyExplain(paired: PairedTokens): Classification {
  const { tokens, partners } = paired
  let at = 1
  const hasOptions = tokens[at]?.keyword === '(' && !QUERY_WORDS.has(tokens[at + 1]?.keyword ?? '')
  if (hasOptions) at = Math.max(at, partners[at] ?? -1) + 1
  while (EXPLAIN_WORDS.has(tokens[at]?.keyword ?? '')) at++
  // Even as (ANALYZE false): the engine runs the statement all the same.
  const analyze = tokens.slice(1, at).some(({ keyword }) => keyword === 'ANALYZE' || keyword === 'ANALYSE')

  const kind = kindAt(paired, at)
  const explained = { kind, analyze, start: tokens[at]?.start ?? paired.text.length }
  return { kind: 'explain', class: classOfExplain(explained), explained }
}

function classOfExplain({ kind, analyze }: Explained): StatementClass {
  const explainedClass = STATEMENT_KINDS[kind]
  if (explainedClass !== 'reads' && explainedClass !== 'writes') return 'forbidden'
  return analyze ? explainedClass : 'reads'
}
