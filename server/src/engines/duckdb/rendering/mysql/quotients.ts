import { TOKEN } from '@boathouse/sql'
import type { Source } from './source.ts'
import { isDouble } from './whole-doubles.ts'

const OF_GROUPS = new Set(['AVG', 'COUNT', 'MAX', 'MIN', 'SUM'])

type Range = readonly [first: number, last: number]

/**
 * Which quotient it is. All digits of it are found where it is divided once for a group, or for a statement: for every row that
 * would take too long, and floating-point numbers have 15 digits.
 */
export function quotientOf(source: Source, dividend: Range, divisor: Range): string {
  if (isDouble(source, ...divisor)) return 'mysql_divide_floating'
  const isConstant = isWritten(source, dividend) && isWritten(source, divisor)
  return isConstant || isOfGroup(source, dividend) ? 'mysql_divide_exactly' : 'mysql_divide'
}

const isOfGroup = (source: Source, [first, last]: Range): boolean =>
  OF_GROUPS.has(source.word(first)) && source.partner(first + 1) === last

/** A number, or one with a type. */
function isWritten(source: Source, [first, last]: Range): boolean {
  if (first === last) return source.kind(first) === TOKEN.number
  const isCast = source.word(first) === 'CAST' && source.partner(first + 1) === last
  return isCast && source.kind(first + 2) === TOKEN.number && source.word(first + 3) === 'AS'
}
