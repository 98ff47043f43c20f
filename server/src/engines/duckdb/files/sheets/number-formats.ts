/** What a number stands for that is shown in some format. */
export type Shown = 'number' | 'date' | 'time' | 'timestamp'

/** Formats that have a number and no text. 46 counts hours beyond a day: that is an amount and no time. */
const KNOWN: readonly (readonly [from: number, to: number, shown: Shown])[] = [
  [14, 17, 'date'],
  [18, 21, 'time'],
  [22, 22, 'timestamp'],
  [27, 31, 'date'],
  [32, 33, 'time'],
  [34, 36, 'date'],
  [45, 45, 'time'],
  [47, 47, 'time'],
  [50, 58, 'date'],
]

export const shownByNumber = (format: number): Shown =>
  KNOWN.find(([from, to]) => format >= from && format <= to)?.[2] ?? 'number'

/** Texts in quotes, escaped and spaced characters. */
const NO_CODES = /"[^"]*"|\\.|_.|\*./g
const ELAPSED = /\[(?:h+|m+|s+)\]/i

export function shownByCode(code: string): Shown {
  const [first = ''] = code.replaceAll(NO_CODES, '').split(';')
  if (/^general$/i.test(first.trim()) || ELAPSED.test(first)) return 'number'
  const letters = first.replaceAll(/\[[^\]]*\]/g, '').toLowerCase()
  const hasTime = /[hs]|am\/pm|a\/p/.test(letters)
  const hasDate = /[yd]/.test(letters) || (!hasTime && /m/.test(letters))
  if (hasDate) return hasTime ? 'timestamp' : 'date'
  return hasTime ? 'time' : 'number'
}
