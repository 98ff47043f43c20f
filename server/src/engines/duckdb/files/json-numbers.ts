/**
 * DuckDB reads a number of JSON as a floating-point number unless it is whole: 1.10 becomes 1.1, and of 1234567890123456.7891
 * the last digits are lost. What a text, a decimal or a whole number is made of keeps the digits that are written.
 */

const TEXT = /^(?:VARCHAR|CHAR|TEXT|STRING)\b/i
const DECIMAL = /^DECIMAL\((\d+),\s*(\d+)\)$/i
const WHOLE = /^(?:U?(?:TINY|SMALL|BIG|HUGE)?INT|U?INTEGER)\b/i

/** A floating-point number has at least so many digits that are true. */
const TRUE_DIGITS = 15
/** How DuckDB writes a number that is not whole. */
const NOT_WHOLE = `'-?[0-9]+(\\.[0-9]+(e[+-]?[0-9]+)?|e[+-]?[0-9]+)'`
/** Of a record in which no number has more digits than are true. */
const LONG_NUMBER = `'[0-9.]{${TRUE_DIGITS + 1}}'`

/** A string, which is left as it is, or a number. */
const TOKEN = `'("(?:[^"\\\\]|\\\\.)*")|(-?[0-9]+(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)'`
/** No JSON holds it. */
const MARK = 'system.main.chr(1)'

/** The same JSON, with every number as a string of its digits. It takes ten times as long as reading it. */
function withQuotedNumbers(json: string): string {
  const marked = `system.main.regexp_replace(${json}::VARCHAR, ${TOKEN}, '\\1' || ${MARK} || '\\2' || ${MARK}, 'g')`
  return `system.main.replace(system.main.replace(${marked}, ${MARK} || ${MARK}, ''), ${MARK}, '"')`
}

/** True where the digits of a value may not be those that are written; null: its type has no digits to lose. */
function mayHaveLost(record: string, text: string, type: string): string | null {
  if (TEXT.test(type)) return `system.main.regexp_full_match(${text}, ${NOT_WHOLE})`
  if (DECIMAL.test(type) || WHOLE.test(type))
    return `system.main.regexp_matches(${record}::VARCHAR, ${LONG_NUMBER})`
  return null
}

/** A value of a record as text, with all of its digits. The place is in SQL, as a pointer or a path. */
export function valueText(record: string, place: string, type: string): string {
  const text = `system.main.json_extract_string(${record}, ${place})`
  const isSuspicious = mayHaveLost(record, text, type)
  if (isSuspicious === null) return text
  return `CASE WHEN ${isSuspicious} AND system.main.json_type(${record}, ${place}) = 'DOUBLE'
    THEN system.main.json_extract_string(${withQuotedNumbers(record)}, ${place}) ELSE ${text} END`
}

/** For what is taken out of a record before it is read: numbers are strings where digits may be lost. */
export const withAllDigits = (json: string): string =>
  `CASE WHEN system.main.regexp_matches(${json}::VARCHAR, '[0-9][.eE]|[0-9]{${TRUE_DIGITS + 1}}')
    THEN ${withQuotedNumbers(json)}::JSON ELSE ${json} END`

/** What a value of this type is read as, in one go with all others. */
export const readAs = (type: string): string => (DECIMAL.test(type) ? 'DOUBLE' : type)

/** True of a value, as it was read, whose digits may not be those that are written; null: none can be. */
export function isUnsure(value: string, type: string): string | null {
  if (TEXT.test(type)) return `system.main.regexp_full_match(${value}, ${NOT_WHOLE})`
  const [, , scale] = DECIMAL.exec(type) ?? []
  if (scale === undefined) return null
  const moved = `(system.main.abs(${value}) * 1e${scale})`
  // Beside the middle of two decimals it is not known which of them is nearer.
  const rest = `(${moved} - system.main.floor(${moved}))`
  return `(NOT (${moved} < 1e${TRUE_DIGITS}) OR ${rest} BETWEEN 0.3 AND 0.7)`
}
