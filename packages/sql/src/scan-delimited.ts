/** Where a delimited piece ends, and whether its closing delimiter was there. */
export interface Span {
  end: number
  closed: boolean
}

/** From an opening quote to its partner; the quote doubled stands for itself. */
export function scanQuoted(text: string, start: number): Span {
  const quote = text.charAt(start)
  let at = start + 1
  for (;;) {
    const found = text.indexOf(quote, at)
    if (found === -1) return { end: text.length, closed: false }
    if (text.charAt(found + 1) !== quote) return { end: found + 1, closed: true }
    at = found + 2
  }
}

/** As `scanQuoted`, for the strings in which a backslash takes the next character with it. */
export function scanEscapedString(text: string, openingQuote: number): Span {
  for (let at = openingQuote + 1; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '\\') at++
    else if (character === "'") {
      if (text.charAt(at + 1) !== "'") return { end: at + 1, closed: true }
      at++
    }
  }
  return { end: text.length, closed: false }
}

/** From after the opening `$tag$`; each dollar is looked at once, however long the tag. */
export function scanDollarQuoted(text: string, from: number, tag: string): Span {
  let dollar = text.indexOf('$', from)
  while (dollar !== -1) {
    const next = text.indexOf('$', dollar + 1)
    if (next === -1) break
    const end = next + 1
    if (end - dollar === tag.length && text.startsWith(tag, dollar)) return { end, closed: true }
    dollar = next
  }
  return { end: text.length, closed: false }
}

/** Block comments nest, as they do in the engine. */
export function scanBlockComment(text: string, start: number): Span {
  let depth = 1
  let at = start + 2
  while (at < text.length) {
    if (text.startsWith('*/', at)) {
      at += 2
      if (--depth === 0) return { end: at, closed: true }
    } else if (text.startsWith('/*', at)) {
      at += 2
      depth++
    } else at++
  }
  return { end: text.length, closed: false }
}
