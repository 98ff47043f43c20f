/** Each gives the offset behind the closing delimiter, or this when the text ends before it. */
export const NEVER_CLOSED = -1

/** From an opening quote to its partner; the quote doubled stands for itself. */
export function scanQuoted(text: string, start: number): number {
  const quote = text.charAt(start)
  let at = start + 1
  for (;;) {
    const found = text.indexOf(quote, at)
    if (found === -1) return NEVER_CLOSED
    if (text.charAt(found + 1) !== quote) return found + 1
    at = found + 2
  }
}

/** As `scanQuoted`, for the strings in which a backslash takes the next character with it. */
export function scanEscapedString(text: string, openingQuote: number): number {
  const quote = text.charAt(openingQuote)
  for (let at = openingQuote + 1; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '\\') at++
    else if (character === quote) {
      if (text.charAt(at + 1) !== quote) return at + 1
      at++
    }
  }
  return NEVER_CLOSED
}

/** From after the opening `$tag$`; each dollar is looked at once, however long the tag. */
export function scanDollarQuoted(text: string, from: number, tag: string): number {
  let dollar = text.indexOf('$', from)
  while (dollar !== -1) {
    const next = text.indexOf('$', dollar + 1)
    if (next === -1) break
    const end = next + 1
    if (end - dollar === tag.length && text.startsWith(tag, dollar)) return end
    dollar = next
  }
  return NEVER_CLOSED
}

const STAR = 0x2a
const SLASH = 0x2f

/** Block comments nest, as they do in the engine. */
export function scanBlockComment(text: string, start: number): number {
  let depth = 1
  let at = start + 2
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === STAR && text.charCodeAt(at + 1) === SLASH) {
      at += 2
      if (--depth === 0) return at
    } else if (code === SLASH && text.charCodeAt(at + 1) === STAR) {
      at += 2
      depth++
    } else at++
  }
  return NEVER_CLOSED
}
