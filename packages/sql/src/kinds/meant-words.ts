import { KIND_PATTERNS } from './kind-patterns.ts'
import { nearest } from './nearest.ts'
import { keywordAt, kindAt, offsetOf, type Piece } from '../text/piece.ts'
import { TOKEN } from '../text/token.ts'
import { firstWords, parsePattern, type WordPattern } from './word-pattern.ts'

const PATTERNS: readonly WordPattern[] = KIND_PATTERNS.map(([words]) => parsePattern(words))
const FIRST_WORDS = new Set(['WITH', 'EXPLAIN', ...PATTERNS.flatMap(firstWords)])

const wordsBehind = (first: string): Set<string> =>
  new Set(
    PATTERNS.filter((pattern) => firstWords(pattern).includes(first)).flatMap((pattern) =>
      pattern.slice(1).flatMap(({ words }) => [...words]),
    ),
  )

export interface MeantWord {
  /** In capitals. */
  readonly word: string
  /** Where the other word is in the text of the statement. */
  readonly offset: number
}

/** What the first words of a statement of no known kind were probably meant for. */
export function meantStatement(statement: Piece): MeantWord | null {
  const { first } = statement
  const word = keywordAt(statement, first)
  const isKnown = FIRST_WORDS.has(word)
  const at = isKnown ? first + 1 : first
  const meant = nearest(keywordAt(statement, at), isKnown ? wordsBehind(word) : FIRST_WORDS)
  return meant === null ? null : { word: meant, offset: offsetOf(statement, at) }
}

/** Words that a statement is held together by. */
const CLAUSES =
  `SELECT DISTINCT FROM WHERE GROUP ORDER HAVING LIMIT OFFSET QUALIFY WINDOW PARTITION JOIN INNER OUTER
  CROSS NATURAL USING UNION INTERSECT EXCEPT VALUES INSERT INTO UPDATE DELETE MERGE CREATE TABLE VIEW INDEX SEQUENCE ALTER
  COLUMN RENAME DEFAULT PRIMARY REFERENCES UNIQUE BETWEEN EXISTS WHEN THEN ELSE CAST ILIKE LIKE NULLS FIRST LAST DESC
  RETURNING RECURSIVE MATERIALIZED REPLACE TEMPORARY INTERVAL FILTER OVER WITHIN LATERAL PIVOT UNPIVOT TABLESAMPLE`
    .split(/\s+/)
    .filter(Boolean)
const KNOWN = new Set([
  ...CLAUSES,
  ...FIRST_WORDS,
  'LEFT',
  'RIGHT',
  'FULL',
  'NULL',
  'TRUE',
  'FALSE',
  'CASE',
  'END',
])

/** Where a statement makes no sense, the word there or the one before it may have been meant for one of the language. */
export function meantWord(statement: Piece, offset: number): MeantWord | null {
  let at = statement.first
  while (at + 1 < statement.until && offsetOf(statement, at + 1) <= offset) at++
  for (const index of [at, at - 1]) {
    const word =
      index < statement.first || kindAt(statement, index) !== TOKEN.word ? '' : keywordAt(statement, index)
    if (word === '' || KNOWN.has(word)) continue
    const meant = nearest(word, CLAUSES)
    if (meant !== null) return { word: meant, offset: offsetOf(statement, index) }
  }
  return null
}
