import { TOKEN, type TokenEdits } from '@boathouse/sql'
import type { Source } from './source.ts'

const WHOLE_DOUBLE = /^(\d{1,16})(?:\.0*)?e0$/i
const ARITHMETIC = new Set(['+', '-', '*', '/'])

/**
 * 5e0, as every number of a driver that knows no other numbers: functions and texts take it for 5. In sums, products and
 * quotients it stays what it is, since 10e0 / 3 has more digits than 10 / 3.
 */
export function noteWholeDouble(source: Source, at: number, edits: TokenEdits): void {
  const whole = WHOLE_DOUBLE.exec(source.written(at, at))?.[1]
  // A moment may have been read in it.
  if (
    whole === undefined ||
    edits.has(at) ||
    Number(whole) > Number.MAX_SAFE_INTEGER ||
    isCalculatedWith(source, at)
  )
    return
  edits.set(at, whole)
}

function isCalculatedWith(source: Source, at: number): boolean {
  let [first, last] = [at, at]
  for (;;) {
    const isSign = /^[-+]$/.test(source.word(first - 1)) && !source.endsValue(first - 2)
    if (isSign) first--
    else if (
      source.word(first - 1) === '(' &&
      source.partner(first - 1) === last + 1 &&
      !isCall(source, first)
    )
      [first, last] = [first - 1, last + 1]
    else return ARITHMETIC.has(source.word(first - 1)) || ARITHMETIC.has(source.word(last + 1))
  }
}

const isCall = (source: Source, first: number): boolean => source.isName(first - 2)

/** A number that is written as a floating-point number, with signs and parentheses around it. */
export function isDouble(source: Source, first: number, last: number): boolean {
  let [begin, end] = [first, last]
  for (;;) {
    if (/^[-+]$/.test(source.word(begin))) begin++
    else if (source.word(begin) === '(' && source.partner(begin) === end) [begin, end] = [begin + 1, end - 1]
    else break
  }
  return begin === end && source.kind(begin) === TOKEN.number && /^[\d.]*e/i.test(source.written(begin, end))
}
