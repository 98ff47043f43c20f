const isBetween = (code: number, low: number, high: number) => code >= low && code <= high

// The engine reads these as blanks, and every other character above ASCII as a letter. A vertical tab, a
// line separator (U+2028) and a next line (U+0085) are no blanks to it.
const UNICODE_BLANKS = new Set([0xa0, 0x202f, 0x205f, 0x2060, 0x3000, 0xfeff])

export function isBlank(code: number): boolean {
  if (code < 0x80) return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0c || code === 0x0d
  return isBetween(code, 0x2000, 0x200b) || UNICODE_BLANKS.has(code)
}

export const isDigit = (code: number) => isBetween(code, 0x30, 0x39)

export const isLineBreak = (code: number) => code === 0x0a || code === 0x0d

export function startsWord(code: number): boolean {
  const isAsciiLetter = isBetween(code | 0x20, 0x61, 0x7a)
  return isAsciiLetter || code === 0x5f || (code >= 0x80 && !isBlank(code))
}

export const continuesTag = (code: number) => startsWord(code) || isDigit(code)

const DOLLAR = 0x24

/** A dollar inside a word belongs to it, so `a$x$` never opens a dollar-quoted string. */
export const continuesWord = (code: number) => continuesTag(code) || code === DOLLAR

/** The offset of the first character from `at` on that does not pass; past the end, `charCodeAt` is NaN. */
export function skipWhile(text: string, at: number, passes: (code: number) => boolean): number {
  let end = at
  while (end < text.length && passes(text.charCodeAt(end))) end++
  return end
}
