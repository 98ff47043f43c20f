import { isUtf8 } from 'node:buffer'
import { JSON_BOUNDS, type JsonBounds, whyNotParsed } from './bounds.ts'

/** What was read, or why not, as the end of a sentence that begins with what it is. */
export type ReadJson = { readonly value: unknown; readonly problem?: never } | { readonly problem: string }

/** The character, not its six letters: these have a backslash before their own. */
const U_0000 = /(?:^|[^\\])(?:\\\\)*\\u0000/

export interface JsonRules {
  readonly bounds?: JsonBounds
  /** The database cannot keep U+0000, and nothing that people write has it. */
  readonly refusesZero?: boolean
}

/** For bytes from outside: judged before they are parsed. */
export function parseJson(
  bytes: Uint8Array,
  { bounds = JSON_BOUNDS, refusesZero = false }: JsonRules = {},
): ReadJson {
  const problem = whyNotParsed(bytes, bounds)
  if (problem !== null) return { problem }
  if (!isUtf8(bytes)) return { problem: 'is not UTF-8.' }
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
  if (refusesZero && text.includes('\\u0000') && U_0000.test(text))
    return { problem: 'holds the character U+0000. Remove it.' }
  try {
    return { value: JSON.parse(text) }
  } catch {
    // The sender sees this.
    return { problem: 'is not JSON.' }
  }
}

/** Of an answer from outside whose text is at hand. Throws. */
export function parseBounded(text: string, bounds: JsonBounds): unknown {
  const problem = whyNotParsed(Buffer.from(text), bounds)
  if (problem !== null) throw new SyntaxError(`The text ${problem}`)
  return JSON.parse(text)
}
