import { quotedString } from '@duckdb/node-api'
import type { FileReading, WrittenValues } from '../../engine/files.ts'

/** As a program writes them. */
const PLAIN: WrittenValues = { date: null, timestamp: null, decimal: '.', thousands: null }

export const writtenIn = ({ written }: Pick<FileReading, 'written'>): WrittenValues => written ?? PLAIN

const WHOLE = /^U?(?:TINYINT|SMALLINT|INTEGER|INT|BIGINT|HUGEINT)$/i
const FRACTION = /^(?:DOUBLE|FLOAT|REAL|(?:DECIMAL|NUMERIC)(?:\(.*\))?)$/i

const ISO_DAY = '\\d{4}-\\d{1,2}-\\d{1,2}'
/** With an offset, it would be one of another zone; with more digits, the last ones would be cut off. */
const ISO_MOMENT = `${ISO_DAY}(?:[T ]\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,6})?)?)?`
const TIMES = [' %H:%M:%S', ' %H:%M', ' %H:%M:%S.%f', 'T%H:%M:%S', 'T%H:%M']
/** Of a year with two digits where four are expected, the first century. */
const FIRST_YEAR = 1000

const trimmed = (text: string): string => `system.main.trim(${text})`
const matches = (text: string, pattern: string): string =>
  `system.main.regexp_full_match(${trimmed(text)}, ${quotedString(pattern)})`

/** Spaces between digits are often such that do not break. */
const groupsOf = (thousands: NonNullable<WrittenValues['thousands']>): string =>
  thousands === ' ' ? '[ \u00a0\u202f]' : `[${thousands}]`

/** Leading zeros are a matter of codes and not of numbers: where types are detected, such a value is a text. */
function wholePattern({ thousands }: WrittenValues, isDetected: boolean): string {
  const digits = isDetected ? '(?:0|[1-9]\\d*)' : '\\d+'
  if (thousands === null) return `[+-]?${digits}`
  const first = isDetected ? '[1-9]\\d{0,2}' : '\\d{1,3}'
  return `[+-]?(?:${digits}|${first}(?:${groupsOf(thousands)}\\d{3})+)`
}

const fractionPattern = (written: WrittenValues, isDetected: boolean): string =>
  `${wholePattern(written, isDetected)}(?:[${written.decimal}]\\d+)?(?:[eE][+-]?\\d{1,3})?`

function asPlainNumber(text: string, { decimal, thousands }: WrittenValues): string {
  const ungrouped =
    thousands === null
      ? trimmed(text)
      : `system.main.regexp_replace(${trimmed(text)}, ${quotedString(groupsOf(thousands))}, '', 'g')`
  return decimal === ',' ? `system.main.replace(${ungrouped}, ',', '.')` : ungrouped
}

const momentsOf = ({ date, timestamp }: WrittenValues): string[] => {
  if (timestamp !== null) return [timestamp]
  return date === null ? [] : [date, ...TIMES.map((time) => `${date}${time}`)]
}

function asWritten(text: string, formats: readonly string[], otherwise: string): string {
  if (formats.length === 0) return otherwise
  const found = `system.main.try_strptime(${trimmed(text)}, [${formats.map(quotedString).join(', ')}])`
  return `coalesce(CASE WHEN system.main.date_part('year', ${found}) >= ${FIRST_YEAR} THEN ${found} END, ${otherwise})`
}

/** The value that a text is of a type, or NULL: nothing is rounded, and nothing cut off. */
export function valueOf(
  text: string,
  type: string,
  { written, isDetected }: { readonly written: WrittenValues; readonly isDetected: boolean },
): string {
  if (WHOLE.test(type) || FRACTION.test(type)) {
    const pattern = (WHOLE.test(type) ? wholePattern : fractionPattern)(written, isDetected)
    return `CASE WHEN ${matches(text, pattern)} THEN TRY_CAST(${asPlainNumber(text, written)} AS ${type}) END`
  }
  if (type === 'DATE') {
    const iso = `CASE WHEN ${matches(text, ISO_DAY)} THEN TRY_CAST(${trimmed(text)} AS DATE) END`
    return `(${asWritten(text, written.date === null ? [] : [written.date], iso)})::DATE`
  }
  if (type === 'TIMESTAMP') {
    const iso = `CASE WHEN ${matches(text, ISO_MOMENT)} THEN TRY_CAST(${trimmed(text)} AS TIMESTAMP) END`
    return asWritten(text, momentsOf(written), iso)
  }
  return `TRY_CAST(${text} AS ${type})`
}
