import type { GridRows } from '../../../ui/grid/grid-rows.ts'
import type { CellRange } from '../../../ui/grid/grid-selection.ts'

/** What can be said of the selected cells; texts are exact where the values are. */
export interface SelectionSummary {
  readonly cells: number
  readonly nulls: number
  readonly distinct: number
  /** Null when not all values are numbers. */
  readonly sum: string | null
  readonly average: string | null
  readonly min: string | null
  readonly max: string | null
}

/** More would take long to read at every key. */
const MOST_CELLS = 100_000
const DECIMAL = /^-?\d+(?:\.\d+)?$/

const scaled = (value: string, digits: number): bigint => {
  const [whole = '0', part = ''] = value.replace('-', '').split('.')
  const amount = BigInt(whole + part.padEnd(digits, '0'))
  return value.startsWith('-') ? -amount : amount
}

function unscaled(amount: bigint, digits: number): string {
  const text = (amount < 0n ? -amount : amount).toString().padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits)
  const part = text.slice(text.length - digits).replace(/0+$/, '')
  return `${amount < 0n ? '-' : ''}${whole}${part ? `.${part}` : ''}`
}

const AVERAGE_DIGITS = 6

/** Sums of decimals are exact to the last digit: they are added as whole numbers. */
function figuresOf(values: readonly string[]) {
  if (values.length === 0 || !values.every((value) => DECIMAL.test(value)))
    return { sum: null, average: null, min: null, max: null }
  const digits = Math.max(...values.map((value) => value.split('.')[1]?.length ?? 0))
  const amounts = values.map((value) => scaled(value, digits))
  const sum = amounts.reduce((total, amount) => total + amount, 0n)
  const least = amounts.reduce((one, other) => (other < one ? other : one))
  const most = amounts.reduce((one, other) => (other > one ? other : one))
  const average = (sum * 10n ** BigInt(AVERAGE_DIGITS)) / BigInt(values.length)
  return {
    sum: unscaled(sum, digits),
    average: unscaled(average, digits + AVERAGE_DIGITS),
    min: unscaled(least, digits),
    max: unscaled(most, digits),
  }
}

/** Null for a single cell, for more than can be read at once, and while not all of it is here. */
export function summarise(rows: GridRows, range: CellRange): SelectionSummary | null {
  const { top, bottom, left, right } = range
  const cells = (bottom - top + 1) * (right - left + 1)
  if (cells < 2 || cells > MOST_CELLS) return null
  const values: string[] = []
  for (let row = top; row <= bottom; row++) {
    const own = rows.at(row)
    if (!own) return null
    for (let column = left; column <= right; column++) {
      const value = own[column] ?? null
      if (value !== null) values.push(value)
    }
  }
  return { cells, nulls: cells - values.length, distinct: new Set(values).size, ...figuresOf(values) }
}
