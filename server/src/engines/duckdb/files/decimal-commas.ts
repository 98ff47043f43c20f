import { quotedString } from '@duckdb/node-api'
import type { WrittenValues } from '../../engine/files.ts'
import { valueOf } from './written-values.ts'

/** Of a hundred values, so many may be no such numbers. */
const MOST_MISFITS = 0.1
/** Between groups of three digits; of two that fit alike, the first is taken. */
const GROUPS = [null, '.', ' '] as const

/** A comma with three digits behind it may also be one between groups: such a value alone shows nothing. */
const CERTAIN = '[+-]?(?:\\d+,(?:\\d{1,2}|\\d{4,})|\\d{1,3}(?:[. \u00a0\u202f]\\d{3})+,\\d+)'

const withComma = (thousands: WrittenValues['thousands']): WrittenValues => ({
  date: null,
  timestamp: null,
  decimal: ',',
  thousands,
})

export interface CommaNumbers {
  readonly thousands: WrittenValues['thousands']
  readonly fits: number
}

/** As SQL: whether a text is certainly a number with a decimal comma. */
export const hasDecimalComma = (text: string): string =>
  `system.main.regexp_full_match(system.main.trim(${text}), ${quotedString(CERTAIN)})`

/** What is counted of a column, as SQL, for `commaNumbers`. */
export const commaCounts = (text: string): string[] => [
  `system.main.count(CASE WHEN ${hasDecimalComma(text)} THEN 1 END)::VARCHAR`,
  ...GROUPS.map((thousands) => {
    const value = valueOf(text, 'DOUBLE', { written: withComma(thousands), isDetected: true })
    return `system.main.count(${value})::VARCHAR`
  }),
]

export const COMMA_COUNTS = 1 + GROUPS.length

/** How a column of so many values is written; null: not with decimal commas. */
export function commaNumbers([certain = 0, ...fits]: readonly number[], values: number): CommaNumbers | null {
  const best = Math.max(...fits)
  const isOne = certain > 0 && values - best <= values * MOST_MISFITS
  return isOne ? { thousands: GROUPS[fits.indexOf(best)] ?? null, fits: best } : null
}
