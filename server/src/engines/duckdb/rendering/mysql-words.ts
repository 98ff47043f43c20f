import {
  isUnterminated,
  keywordAt,
  kindAt,
  type Piece,
  stringAt,
  textLiteral,
  TOKEN,
  type TokenEdits,
} from '@boathouse/sql'

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** What can stand behind a name that `div` or `mod` is the alias of. */
const BEHIND_ALIAS =
  words(`AND ANTI AS ASC ASOF BETWEEN COLLATE CROSS DESC ELSE END EXCEPT FETCH FILTER FOR FROM FULL GROUP
  HAVING ILIKE IN INNER INTERSECT IS JOIN LEFT LIKE LIMIT NATURAL NOT NULLS OFFSET ON OR ORDER OVER PIVOT POSITIONAL QUALIFY
  RETURNING RIGHT SELECT SEMI SET SIMILAR TABLESAMPLE THEN UNION UNPIVOT USING VALUES WHEN WHERE WINDOW WITHIN`)

const OPERANDS = new Set<number>([TOKEN.number, TOKEN.parameter, TOKEN.quotedIdentifier, TOKEN.string])

/** Whether a value begins at a token, where nothing but a value would make sense. */
function beginsOperand(piece: Piece, at: number): boolean {
  const kind = kindAt(piece, at)
  if (OPERANDS.has(kind)) return true
  return kind === TOKEN.word && !BEHIND_ALIAS.has(keywordAt(piece, at) || '?')
}

function endsOperand(piece: Piece, at: number): boolean {
  const kind = kindAt(piece, at)
  if (OPERANDS.has(kind) || keywordAt(piece, at) === ')') return true
  return kind === TOKEN.word && !BEHIND_ALIAS.has(keywordAt(piece, at) || '?')
}

const HINTS = words(
  'SQL_NO_CACHE SQL_CACHE SQL_CALC_FOUND_ROWS SQL_SMALL_RESULT SQL_BIG_RESULT SQL_BUFFER_RESULT',
)

/** Words between values, types and hints that other servers know. Each is a mistake to DuckDB, so that nothing is hidden. */
const RULES: Readonly<Record<string, (piece: Piece, at: number, edits: TokenEdits) => void>> = {
  DIV: between('//'),
  MOD: between('%'),
  REGEXP: pattern,
  RLIKE: pattern,
  NOT: (piece, at, edits) => {
    const next = keywordAt(piece, at + 1)
    if (next === 'REGEXP' || next === 'RLIKE') pattern(piece, at + 1, edits)
  },
  // CAST(… AS UNSIGNED [INTEGER])
  UNSIGNED: (piece, at, edits) => {
    const isLong = keywordAt(piece, at + 1) === 'INTEGER'
    if (keywordAt(piece, at - 1) !== 'AS' || keywordAt(piece, at + (isLong ? 2 : 1)) !== ')') return
    edits.set(at, 'UBIGINT')
    if (isLong) edits.set(at + 1, '')
  },
}

function between(operator: string): (piece: Piece, at: number, edits: TokenEdits) => void {
  return (piece, at, edits) => {
    if (endsOperand(piece, at - 1) && beginsOperand(piece, at + 1)) edits.set(at, operator)
  }
}

/** value [NOT] REGEXP 'pattern': found anywhere in the value, where DuckDB's own operator wants the whole of it. */
function pattern(piece: Piece, at: number, edits: TokenEdits): void {
  if (kindAt(piece, at + 1) !== TOKEN.string || isUnterminated(piece, at + 1)) return
  const isNot = keywordAt(piece, at - 1) === 'NOT'
  // Both words are looked at, one after the other.
  if (edits.has(at)) return
  if (!isNot && !endsOperand(piece, at - 1)) return
  if (isNot) edits.set(at, '')
  else edits.set(at, '~')
  edits.set(at + 1, textLiteral(`(?s).*(?:${stringAt(piece, at + 1)}).*`))
  if (isNot) edits.set(at - 1, '!~')
}

/** True when the word is one of those, whatever is made of it. */
export function noteMysqlWord(piece: Piece, at: number, edits: TokenEdits): boolean {
  const word = keywordAt(piece, at)
  if (HINTS.has(word)) {
    if (keywordAt(piece, at - 1) === 'SELECT' && beginsOperand(piece, at + 1)) edits.set(at, '')
    return true
  }
  const rule = Object.hasOwn(RULES, word) ? RULES[word] : undefined
  if (at > piece.first) rule?.(piece, at, edits)
  return rule !== undefined
}
