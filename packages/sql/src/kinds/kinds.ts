import { readDescribe } from '../statements/describe-statement.ts'
import { skipCommonTableExpressions } from '../parts/common-table-expressions.ts'
import { matchKind } from './match-kind.ts'
import { isSymbol, isUnterminated, keywordAt, offsetOf, type Piece, textAt } from '../text/piece.ts'
import { findTopLevel } from '../text/top-level.ts'
import type { StatementClass, StatementKind } from './statement-kinds.ts'
import { STATEMENT_KINDS } from './statement-kinds.ts'

export interface Classification {
  readonly kind: StatementKind
  readonly class: StatementClass
  /** What an EXPLAIN is about. */
  readonly explained?: Explained
}

interface Explained {
  readonly kind: StatementKind
  /** The explained statement is run, with all it does. */
  readonly analyze: boolean
  /** Where the explained statement begins in the statement's text, and the index of its first token. */
  readonly start: number
  readonly first: number
}

/**
 * What a piece of text is, taken as one statement, and what may be done with it; several statements are 'unknown'.
 * Letter case, comments and hints make no difference.
 */
export function classify(piece: Piece): Classification {
  if (!isOneStatement(piece)) return { kind: 'unknown', class: 'forbidden' }
  if (keywordAt(piece, piece.first) === 'EXPLAIN') return classifyExplain(piece)
  const first = kindFrom(piece, piece.first)
  // The service sets all variables of a list together, whatever the first of them is about.
  const kind = OF_ONE_VARIABLE.has(first) && isList(piece) ? 'set-variable' : first
  return { kind, class: STATEMENT_KINDS[kind] }
}

const OF_ONE_VARIABLE = new Set<StatementKind>(['set-user-variable', 'set-sql-select-limit'])

/** SET @a = 1, b = 2. What is behind SET VARIABLE is one expression, whatever it looks like. */
const isList = (piece: Piece): boolean =>
  keywordAt(piece, piece.first + 1) !== 'VARIABLE' && findTopLevel(piece, piece.first, ',') >= 0

/** The engine ends a text at a NUL and reads on behind a lone backtick, so neither text is what it seems. */
function isOneStatement(piece: Piece): boolean {
  if (piece.text.includes('\0')) return false
  let at = piece.first
  while (at < piece.until && !isSymbol(piece, at, ';')) at++
  while (at < piece.until && isSymbol(piece, at, ';')) at++
  if (at < piece.until) return false
  const last = piece.until - 1
  return !(isUnterminated(piece, last) && textAt(piece, last).startsWith('`'))
}

function kindFrom(piece: Piece, at: number): StatementKind {
  let start = at
  while (isSymbol(piece, start, '(')) start++
  const kind = start < piece.until ? verbKindAt(piece, start) : 'unknown'
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

function verbKindAt(piece: Piece, at: number): StatementKind {
  if (keywordAt(piece, at) !== 'WITH') return matchKind(piece, at).kind
  const next = skipCommonTableExpressions(piece, at)
  if (next === null) return 'unknown'
  if (keywordAt(piece, next) === '(') return 'select'
  const { kind } = matchKind(piece, next)
  return AFTER_WITH.has(kind) ? kind : 'unknown'
}

const EXPLAIN_WORDS = new Set(['ANALYZE', 'ANALYSE', 'VERBOSE', 'LOGICAL', 'COSTS'])
/** What may stand between EXPLAIN and the statement without making it run. */
const HARMLESS_OPTIONS = new Set(
  '( ) , VERBOSE LOGICAL COSTS TRUE FALSE ON OFF FORMAT DEFAULT TEXT JSON HTML GRAPHVIZ YAML MERMAID'.split(
    ' ',
  ),
)
const QUERY_WORDS = new Set(['SELECT', 'WITH', 'FROM', 'VALUES', 'TABLE', 'PIVOT', 'UNPIVOT', '('])

function classifyExplain(piece: Piece): Classification {
  const options = piece.first + 1
  let at = options
  const hasOptions = keywordAt(piece, at) === '(' && !QUERY_WORDS.has(keywordAt(piece, at + 1))
  if (hasOptions) at = Math.max(at, piece.tokens.partners[at] ?? -1) + 1
  while (EXPLAIN_WORDS.has(keywordAt(piece, at))) at++
  // Also as (ANALYZE false): the engine runs the statement all the same. And as anything that is not known to be harmless,
  // such as ("analyze").
  let analyze = false
  for (let option = options; option < at && !analyze; option++)
    analyze = !HARMLESS_OPTIONS.has(keywordAt(piece, option))

  const kind = kindFrom(piece, at)
  // EXPLAIN of a table is another word for DESCRIBE.
  if (kind === 'unknown' && at === options && readDescribe(piece))
    return { kind: 'describe', class: STATEMENT_KINDS.describe }
  const explained = { kind, analyze, start: offsetOf(piece, at), first: at }
  return { kind: 'explain', class: classOfExplain(explained), explained }
}

function classOfExplain({ kind, analyze }: Explained): StatementClass {
  // What it runs was prepared in the session, which knows.
  if (kind === 'execute') return 'session'
  const explainedClass = STATEMENT_KINDS[kind]
  if (explainedClass !== 'reads' && explainedClass !== 'writes') return 'forbidden'
  return analyze ? explainedClass : 'reads'
}
