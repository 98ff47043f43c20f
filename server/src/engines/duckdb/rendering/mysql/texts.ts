import { type TokenEdits, TOKEN } from '@boathouse/sql'
import type { Source } from './source.ts'

/** What these give is a text already. */
const GIVES_TEXT = new Set(
  `CHAR CONCAT CONCAT_WS DATE_FORMAT DAYNAME ELT FORMAT GROUP_CONCAT HEX INSERT JSON_UNQUOTE LCASE LEFT LOWER LPAD LTRIM MID
  MONTHNAME REPEAT REPLACE REVERSE RIGHT RPAD RTRIM SPACE SUBSTR SUBSTRING SUBSTRING_INDEX TRIM UCASE UPPER`.split(
    /\s+/,
  ),
)

/** Numbers that DuckDB writes with a point behind them. */
const DOUBLE = /^[\d.]*e/i

/** What they give is a text where one of their values is written as such. */
const GIVES_ANY = new Set(['CASE', 'COALESCE', 'IF', 'IFNULL'])
/** The engine reads a value several times that it asks for its type: one in the other in the next would become too much. */
const MOST_TOKENS = 32

/**
 * What stands around a value where a text is expected. DuckDB's text of a floating-point number, a truth value or a moment
 * with a time zone is not the other server's, and only the engine knows the type; of most else the text is the same.
 */
export function asText(
  source: Source,
  [first, last]: readonly [number, number],
): { readonly before: string; readonly after: string } {
  return isPlain(source, first, last)
    ? { before: 'CAST(', after: ' AS VARCHAR)' }
    : { before: 'mysql_text(', after: ')' }
}

function isPlain(source: Source, first: number, last: number): boolean {
  const kind = source.kind(first)
  if (first === last && kind === TOKEN.number) return !DOUBLE.test(source.written(first, first))
  if (first === last) return kind === TOKEN.string || kind === TOKEN.parameter
  if (last - first > MOST_TOKENS) return true
  const word = source.word(first)
  if (GIVES_TEXT.has(word) && source.partner(first + 1) === last) return true
  if (!GIVES_ANY.has(word)) return false
  for (let at = first; at <= last; at++) if (source.kind(at) === TOKEN.string) return true
  return false
}

export function noteText(
  source: Source,
  value: readonly [first: number, last: number],
  edits: TokenEdits,
): void {
  edits.enclose(value[0], value[1], asText(source, value))
}

/**
 * One text of several, null when one of them is. As calls, since an operator of this name means something else in the other
 * server's words: the definition of a view can be sent again.
 */
export function noteJoined(
  source: Source,
  values: readonly (readonly [first: number, last: number])[],
  edits: TokenEdits,
): void {
  const [first] = values
  const last = values.at(-1)
  if (!first || !last) return
  for (const value of values) noteText(source, value, edits)
  for (const [at, [begin]] of values.entries()) if (at > 0) edits.set(begin - 1, at === 1 ? ', ' : '), ')
  const calls = values.length - 1
  edits.enclose(first[0], last[1], { before: '"||"('.repeat(calls), after: calls > 0 ? ')' : '' })
}
