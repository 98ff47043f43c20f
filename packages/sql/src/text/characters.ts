// The engine reads these as blanks, and every other character above ASCII as a letter. A vertical tab, a
// line separator (U+2028) and a next line (U+0085) are no blanks to it.
const ASCII_BLANKS = [0x20, 0x09, 0x0a, 0x0c, 0x0d]
const UNICODE_BLANKS = new Set([0xa0, 0x202f, 0x205f, 0x2060, 0x3000, 0xfeff])

export const BLANK = 1
export const DIGIT = 2
export const LETTER = 4
const DOLLAR = 8
export const PUNCTUATION = 16
const OPERATOR = 32

const ASCII = 0x80
const CLASSES = new Uint8Array(ASCII)
for (const code of ASCII_BLANKS) CLASSES[code] = BLANK
for (let code = 0; code < ASCII; code++)
  if (/[A-Za-z_]/.test(String.fromCharCode(code))) CLASSES[code] = LETTER
for (const digit of '0123456789') CLASSES[digit.charCodeAt(0)] = DIGIT
for (const mark of '()[]{},;.') CLASSES[mark.charCodeAt(0)] = PUNCTUATION
for (const mark of '+-*/%<>=!~&|^@#:') CLASSES[mark.charCodeAt(0)] = OPERATOR
CLASSES['$'.charCodeAt(0)] = DOLLAR

const isUnicodeBlank = (code: number) => (code >= 0x2000 && code <= 0x200b) || UNICODE_BLANKS.has(code)

/** The class that a character is in; 0 for one in none. */
export function classOf(code: number): number {
  if (code < ASCII) return CLASSES[code] ?? 0
  return isUnicodeBlank(code) ? BLANK : LETTER
}

/** Past the end of a text a code is NaN, which is in no class. */
function isOf(code: number, classes: number): boolean {
  if (code < ASCII) return ((CLASSES[code] ?? 0) & classes) !== 0
  return code >= ASCII && ((isUnicodeBlank(code) ? BLANK : LETTER) & classes) !== 0
}

export const isDigit = (code: number) => isOf(code, DIGIT)
export const isOperator = (code: number) => isOf(code, OPERATOR)
export const startsWord = (code: number) => isOf(code, LETTER)

export const isLineBreak = (code: number) => code === 0x0a || code === 0x0d

// A class and not a function is handed over: calling one for each character takes several times as long.
function skip(text: string, at: number, classes: number): number {
  let end = at
  while (end < text.length && isOf(text.charCodeAt(end), classes)) end++
  return end
}

/** Each gives the offset of the first character from `at` on that is something else. */
export const skipBlanks = (text: string, at: number) => skip(text, at, BLANK)
export const skipDigits = (text: string, at: number) => skip(text, at, DIGIT)
export const skipTag = (text: string, at: number) => skip(text, at, LETTER | DIGIT)
/** A dollar inside a word belongs to it, so `a$x$` never opens a dollar-quoted string. */
export const skipWord = (text: string, at: number) => skip(text, at, LETTER | DIGIT | DOLLAR)

export function skipLine(text: string, at: number): number {
  let end = at
  while (end < text.length && !isLineBreak(text.charCodeAt(end))) end++
  return end
}
