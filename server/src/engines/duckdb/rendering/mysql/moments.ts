/** A text that is a moment, as DuckDB reads it. */
interface Moment {
  readonly type: 'DATE' | 'TIMESTAMP' | 'TIMESTAMPTZ'
  readonly text: string
}

const DATE = /^(\d{4}|\d{2})(-\d{1,2}-\d{1,2})$/
const TIMESTAMP =
  /^(\d{4}|\d{2})(-\d{1,2}-\d{1,2}[ T]\d{1,2}:\d{1,2}(?::\d{1,2}(?:\.\d{1,6})?)?)([-+]\d{2}:\d{2})?$/
/** Behind them may stand what makes a floating-point number of them, as drivers send all numbers. */
const DIGITS = /^(\d{4})(\d{2})(\d{2})(?:(\d{2})(\d{2})(\d{2}))?(?:e0)?$/

/** Of two digits: from 1970 to 2069. */
const yearOf = (digits: string): string =>
  digits.length === 4 ? digits : `${Number(digits) < 70 ? '20' : '19'}${digits}`

/** What the other server reads in a text or a number: 2024-01-31, 24-01-31, 20240131, 20240131101500; null for no moment. */
export function momentIn(text: string): Moment | null {
  const [, year, rest] = DATE.exec(text) ?? []
  if (year !== undefined) return { type: 'DATE', text: `${yearOf(year)}${rest}` }
  const [, ofYear, time, offset = ''] = TIMESTAMP.exec(text) ?? []
  if (ofYear !== undefined)
    return { type: offset === '' ? 'TIMESTAMP' : 'TIMESTAMPTZ', text: `${yearOf(ofYear)}${time}${offset}` }
  const [, y, m, d, hours, minutes, seconds] = DIGITS.exec(text) ?? []
  if (y === undefined) return null
  const date = `${y}-${m}-${d}`
  return hours === undefined
    ? { type: 'DATE', text: date }
    : { type: 'TIMESTAMP', text: `${date} ${hours}:${minutes}:${seconds}` }
}
