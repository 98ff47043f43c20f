import { quoteString, type TokenEdits, TOKEN } from '@boathouse/sql'
import { momentIn } from './moments.ts'
import type { Call, Source } from './source.ts'

/** Units of a day and longer leave a date a date; shorter ones make a time of it. */
const LONG = new Set(['DAY', 'WEEK', 'MONTH', 'QUARTER', 'YEAR', 'YEAR_MONTH'])
const SHORT = new Set(
  `MICROSECOND SECOND MINUTE HOUR SECOND_MICROSECOND MINUTE_MICROSECOND MINUTE_SECOND HOUR_MICROSECOND HOUR_SECOND
  HOUR_MINUTE DAY_MICROSECOND DAY_SECOND DAY_MINUTE DAY_HOUR`.split(/\s+/),
)

export const isUnit = (word: string): boolean => LONG.has(word) || SHORT.has(word)

export interface Interval {
  readonly first: number
  /** The unit. */
  readonly last: number
}

/** INTERVAL amount UNIT, at its first word. */
export function intervalAt(source: Source, at: number): Interval | null {
  if (source.word(at) !== 'INTERVAL') return null
  const amount = endOfAmount(source, at + 1)
  return amount >= 0 && isUnit(source.word(amount + 1)) ? { first: at, last: amount + 1 } : null
}

/** An amount may be a sum: INTERVAL a * 2 - 1 DAY. */
const BETWEEN = new Set(['+', '-', '*', '/', '%', 'DIV', 'MOD'])

function endOfAmount(source: Source, first: number): number {
  let last = source.endOfValue(first)
  while (last >= 0 && BETWEEN.has(source.word(last + 1))) last = source.endOfValue(last + 2)
  return last
}

const macroOf = (unit: string): string => `mysql_interval_${unit.toLowerCase()}`

/** Writes the interval as a value: its amount may be any expression. */
export function noteInterval(source: Source, { first, last }: Interval, edits: TokenEdits): void {
  edits.set(first, `${macroOf(source.word(last))}(`)
  edits.set(last, ')')
}

const plus = (unit: string, sign: '+' | '-'): string =>
  `mysql_${sign === '+' ? 'plus' : 'minus'}_${LONG.has(unit) ? 'days' : 'time'}`

/** value + INTERVAL amount UNIT: gives the last token of the sum; -1 where the value is not known. */
export function noteSum(source: Source, at: number, sum: { edits: TokenEdits; start: number }): number {
  const interval = intervalAt(source, at + 1)
  if (!interval || sum.start < 0) return -1
  const { edits, start } = sum
  const name = plus(source.word(interval.last), source.word(at) === '-' ? '-' : '+')
  noteMoment(source, [start, at - 1], edits)
  edits.wrap(start, interval.last, { before: `${name}(`, after: ')' })
  edits.set(at, ',')
  return interval.last
}

/** INTERVAL amount UNIT + value */
export function notePrefixed(
  source: Source,
  { first, last }: Interval,
  { edits, end }: { readonly edits: TokenEdits; readonly end: number },
): void {
  const value = [last + 2, end] as const
  noteMoment(source, value, edits)
  edits.wrap(first, end, { before: `${plus(source.word(last), '+')}_of(`, after: ')' })
  edits.set(last + 1, ',')
}

/** DATE_ADD(value, INTERVAL amount UNIT), or ADDDATE(value, days). */
export const dateSum =
  (sign: '+' | '-', takesDays: boolean) =>
  (source: Source, { name, args }: Call, edits: TokenEdits): void => {
    const [value, amount] = args
    if (!value || !amount || args.length !== 2) return
    const interval = intervalAt(source, amount[0])
    if (interval) {
      if (interval.last !== amount[1]) return
      edits.set(name, plus(source.word(interval.last), sign))
    } else if (takesDays) {
      edits.set(name, plus('DAY', sign))
      edits.enclose(amount[0], amount[1], { before: `${macroOf('DAY')}(`, after: ')' })
    } else return
    noteMoment(source, value, edits)
  }

/** TIMESTAMPADD(UNIT, amount, value) */
export function addUnits(source: Source, { name, args }: Call, edits: TokenEdits): void {
  const [unit, amount, value] = args
  if (!unit || !amount || !value || args.length !== 3 || unit[0] !== unit[1]) return
  const word = source.word(unit[0]).replace(/^SQL_TSI_/, '')
  if (!isUnit(word)) return
  edits.set(name, `${plus(word, '+')}_of`)
  edits.replace(unit[0], unit[1] + 1, '')
  edits.enclose(amount[0], amount[1], { before: `${macroOf(word)}(`, after: ')' })
  noteMoment(source, value, edits)
}

/** What DuckDB counts otherwise: its month ends with the last day of a shorter one. */
const MONTHS_BETWEEN: Readonly<Record<string, string>> = {
  MONTH: 'mysql_months_between',
  QUARTER: 'mysql_quarters_between',
  YEAR: 'mysql_years_between',
}

/** TIMESTAMPDIFF(UNIT, from, to): whole units alone. */
export function difference(source: Source, { name, args }: Call, edits: TokenEdits): void {
  const [unit, from, to] = args
  if (!unit || !from || !to || args.length !== 3 || unit[0] !== unit[1]) return
  const word = source.word(unit[0]).replace(/^SQL_TSI_/, '')
  if (!isUnit(word) || word.includes('_')) return
  const months = MONTHS_BETWEEN[word]
  edits.set(name, months ?? 'date_sub')
  if (months) edits.replace(unit[0], unit[0] + 1, '')
  else edits.set(unit[0], `'${word.toLowerCase()}'`)
  for (const [first, last] of [from, to]) {
    noteMoment(source, [first, last], edits)
    edits.enclose(first, last, { before: 'TRY_CAST(', after: ' AS TIMESTAMP)' })
  }
}

/** A text, a number or a parameter where a moment is expected gets a type, as the other server reads it there. */
export function noteMoment(
  source: Source,
  [first, last]: readonly [number, number],
  edits: TokenEdits,
): void {
  if (first !== last) return
  const isNumber = source.kind(first) === TOKEN.number
  const text = isNumber ? source.written(first, first) : source.literal(first)
  if (text === null) return noteParameter(source, [first, last], edits)
  const moment = momentIn(text)
  if (!moment || source.word(first - 1) === moment.type) return
  if (moment.text !== text || isNumber) edits.set(first, quoteString(moment.text))
  const isZoned = moment.type === 'TIMESTAMPTZ'
  edits.wrap(first, last, {
    before: isZoned ? 'CAST(TRY_CAST(' : 'TRY_CAST(',
    after: ` AS ${moment.type})${isZoned ? ' AS TIMESTAMP)' : ''}`,
  })
}

/** A parameter has no type before it has a value, and a function of several types needs one: it is a text. */
export function noteParameter(
  source: Source,
  [first, last]: readonly [number, number],
  edits: TokenEdits,
): void {
  if (first === last && source.kind(first) === TOKEN.parameter)
    edits.wrap(first, last, { before: 'CAST(', after: ' AS VARCHAR)' })
}
