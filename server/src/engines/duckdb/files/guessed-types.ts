import { quotedString } from '@duckdb/node-api'
import type { FileReading } from '../../engine/files.ts'

/**
 * Types that were found in the beginning of a file. DuckDB's reader takes more for a value of a type than its sniffer does:
 * 1.5 and 007 for whole numbers, a moment for its day, a moment of another zone for one without. So the values behind the
 * beginning are read as texts, and taken only if they are of the type as they are written.
 */
interface GuessedType {
  /** Whether a text is such a value. */
  fits(text: string): string
  /** In place of one that is not, while nothing else is: nobody writes it. */
  readonly flag: string
}

const ISO_DAY = '%Y-%m-%d'

const trimmed = (text: string): string => `system.main.trim(${text})`
/** Bytes are counted at once, and characters are no more than these. */
const isShort = (text: string, most: number): string =>
  `(system.main.strlen(${text}) <= ${most} OR system.main.length(${trimmed(text)}) <= ${most})`
const contains = (text: string, part: string): string => `system.main.contains(${text}, '${part}')`

const isWhole = (text: string): string => {
  const written = `TRY_CAST(${text} AS BIGINT)::VARCHAR`
  return `coalesce(${written} = ${text} OR ${written} = ${trimmed(text)}, false)`
}
const isDay = (text: string): string => `(${isShort(text, 10)} AND TRY_CAST(${text} AS DATE) IS NOT NULL)`
/** With an offset, it would be one of another zone; with more digits, the last ones would be cut off. */
const isMoment = (text: string): string =>
  `(${isShort(text, 26)} AND NOT ${contains(text, '+')} AND NOT ${contains(text, 'Z')} AND NOT ${contains(`system.main.substr(${text}, 12)`, '-')} AND TRY_CAST(${text} AS TIMESTAMP) IS NOT NULL)`
const isTime = (text: string): string =>
  `(${isShort(text, 15)} AND NOT ${contains(text, '+')} AND NOT ${contains(text, '-')} AND TRY_CAST(${text} AS TIME) IS NOT NULL)`

const GUESSED: Readonly<Record<string, GuessedType>> = {
  BIGINT: { fits: isWhole, flag: `CAST('-9223372036854775808' AS BIGINT)` },
  DATE: { fits: isDay, flag: `CAST('-infinity' AS DATE)` },
  TIMESTAMP: { fits: isMoment, flag: `CAST('-infinity' AS TIMESTAMP)` },
  TIME: { fits: isTime, flag: `CAST('24:00:00' AS TIME)` },
}

const formatOf = (type: string, { dateFormat, timestampFormat }: FileReading): string | null =>
  (type === 'DATE' ? dateFormat : type === 'TIMESTAMP' ? timestampFormat : null) || null

/** Null: DuckDB's reader is as strict as its sniffer, as it is where a format was found. */
export const guessedType = (type: string, reading: FileReading): GuessedType | null =>
  formatOf(type, reading) === null ? (GUESSED[type] ?? null) : null

export function fitsType(text: string, type: string, reading: FileReading): string {
  const format = formatOf(type, reading)
  if (format !== null) return `system.main.try_strptime(${text}, ${quotedString(format)}) IS NOT NULL`
  return GUESSED[type]?.fits(text) ?? `TRY_CAST(${text} AS ${type}) IS NOT NULL`
}

/** Fifteen digits are the same with a floating point, whatever they are. */
const isExactNumber = (text: string): string =>
  `(${isShort(text, 15)} AND system.main.regexp_full_match(${trimmed(text)}, '-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d{1,2})?'))`

/** What a column becomes in which not all values fit, when all of them fit this; otherwise text. */
export function widerType(
  type: string,
  { dateFormat }: FileReading,
): { readonly type: string; fits(text: string): string } | null {
  if (type === 'BIGINT') return { type: 'DOUBLE', fits: isExactNumber }
  const isIso = !dateFormat || dateFormat === ISO_DAY
  return type === 'DATE' && isIso ? { type: 'TIMESTAMP', fits: isMoment } : null
}
