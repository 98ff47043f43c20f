import { isDigit } from './characters.ts'

const UNDERSCORE = 0x5f

function skipFigures(text: string, at: number): number {
  let end = at
  for (let code = text.charCodeAt(end); isDigit(code) || code === UNDERSCORE; code = text.charCodeAt(end))
    end++
  return end
}

/** An exponent counts only with a digit in it: `1.5e` is a number followed by a word. */
function skipExponent(text: string, at: number): number {
  const mark = text.charAt(at)
  if (mark !== 'e' && mark !== 'E') return at
  const sign = text.charAt(at + 1)
  const digits = sign === '+' || sign === '-' ? at + 2 : at + 1
  return isDigit(text.charCodeAt(digits)) ? skipFigures(text, digits) : at
}

/** The end of the number that starts at `start` with a digit, or with a dot before a digit. */
export function scanNumber(text: string, start: number): number {
  let at = skipFigures(text, start)
  if (text.charAt(at) === '.' && text.charAt(at + 1) !== '.') at = skipFigures(text, at + 1)
  return skipExponent(text, at)
}
