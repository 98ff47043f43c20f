/** How deep JSON may be nested, and of how many values, names and marks it may be made. */
export interface JsonBounds {
  readonly depth: number
  readonly tokens: number
}

/** No call and no message needs more. To parse so much takes a few milliseconds. */
export const JSON_BOUNDS: JsonBounds = { depth: 32, tokens: 50_000 }

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Behind the quote that ends the text which begins here. */
function behindText(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length) {
    const byte = bytes[at++]
    if (byte === BACKSLASH) at++
    else if (byte === QUOTE) return at
  }
  return at
}

/**
 * Why this is not parsed, as the end of a sentence; null when it may be. One look at each byte until a bound is passed, in UTF-8:
 * what is nested deep costs the parser a thousand times as much as this. Whether it is JSON at all is for the parser.
 */
export function whyNotParsed(bytes: Uint8Array, bounds: JsonBounds = JSON_BOUNDS): string | null {
  let depth = 0
  let tokens = 0
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at++]
    if (byte === QUOTE) {
      tokens++
      at = behindText(bytes, at)
    } else if (byte === LIST || byte === OBJECT) {
      tokens++
      if (++depth > bounds.depth) return `is nested deeper than ${bounds.depth} levels.`
    } else if (byte === LIST_END || byte === OBJECT_END) depth--
    else if (byte === COMMA) tokens++
    if (tokens > bounds.tokens) return `has more than ${bounds.tokens} values. Send fewer at once.`
  }
  return null
}
