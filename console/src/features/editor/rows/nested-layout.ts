const CLOSING: Readonly<Record<string, string>> = { '[': ']', '{': '}', '(': ')' }
const QUOTES = new Set(['"', "'"])
/** Shorter groups stay on one line. */
const SHORT = 60
const INDENT = '  '

/** Behind the closing quote; a backslash takes the next character with it. */
function behindQuote(text: string, start: number): number {
  const quote = text[start]
  let at = start + 1
  while (at < text.length && text[at] !== quote) at += text[at] === '\\' ? 2 : 1
  return at + 1
}

/** For each opening bracket its closing one; null when they do not fit together. */
function pairs(text: string): Map<number, number> | null {
  const found = new Map<number, number>()
  const open: number[] = []
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? ''
    if (QUOTES.has(sign)) at = behindQuote(text, at) - 1
    else if (sign in CLOSING) open.push(at)
    else if (sign === ']' || sign === '}' || sign === ')') {
      const start = open.pop()
      if (start === undefined || CLOSING[text[start] ?? ''] !== sign) return null
      found.set(start, at)
    }
  }
  return open.length === 0 ? found : null
}

const isSpace = (sign: string | undefined): boolean => sign === ' ' || sign === '\n' || sign === '\t'

/**
 * Lists, structs, maps and JSON with a line for each member. Only white space between members changes, so every value
 * stays to the digit; a text that is not of this form stays as it is.
 */
export function layOutNested(text: string): string {
  const closing = pairs(text)
  if (!closing) return text
  let out = ''
  let depth = 0
  const newLine = () => (out += `\n${INDENT.repeat(depth)}`)
  const ends: number[] = []
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? ''
    const end = closing.get(at)
    const next = QUOTES.has(sign) ? behindQuote(text, at) : at + 1
    if (end !== undefined && end - at <= SHORT && !text.slice(at, end).includes('\n')) {
      out += text.slice(at, end + 1)
      at = end
    } else if (end !== undefined) {
      ends.push(end)
      depth++
      out += sign
      newLine()
      while (isSpace(text[at + 1])) at++
    } else if (ends.at(-1) === at) {
      ends.pop()
      depth--
      out = out.trimEnd()
      newLine()
      out += sign
    } else if (sign === ',' && depth > 0) {
      out += sign
      newLine()
      while (isSpace(text[at + 1])) at++
    } else {
      out += text.slice(at, next)
      at = next - 1
    }
  }
  return out
}
