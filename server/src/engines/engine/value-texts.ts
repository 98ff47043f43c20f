/** How values are written that an engine gives in a form of its own; the same of every engine. */

const ESCAPED_BYTE = /[^\x20-\x7e]|[\\'"]/g

export function bytesText(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('latin1')
    .replace(ESCAPED_BYTE, (byte) => `\\x${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
}

const NEEDS_QUOTES = /^$|^[ \t-\r]|[ \t-\r]$|^null$|["'(),:=[\]{}]/i

/** Inside of another value, text that could be mistaken for syntax is quoted. */
export const memberOf = (text: string): string => (NEEDS_QUOTES.test(text) ? quotedMember(text) : text)

export const quotedMember = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`
