/**
 * Drivers put bytes into the text of a statement as they are, behind `_binary`. What is no text, or would not come through as
 * one, is written in hexadecimal digits before anybody reads the statement as characters.
 */

const QUOTE = 0x27
const DOUBLE_QUOTE = 0x22
const BACKQUOTE = 0x60
const BACKSLASH = 0x5c
const INTRODUCER = Buffer.from('_binary')
const WORD = /[\w$\x80-\xff]/

/** What a backslash and a letter stand for; any other character stands for itself. */
const ESCAPED = new Map(
  Object.entries({ 0: 0, b: 8, n: 10, r: 13, t: 9, Z: 26 }).map(([letter, byte]) => [
    letter.charCodeAt(0),
    byte,
  ]),
)

export function withHexLiterals(sql: Buffer, hasBackslash: boolean): Buffer {
  if (!sql.includes("_binary'")) return sql
  const parts: Buffer[] = []
  let copied = 0
  for (let at = 0; at < sql.length;) {
    const end = endOfToken(sql, at, hasBackslash)
    if (end <= sql.length && sql[at] === QUOTE && isIntroduced(sql, at)) {
      const bytes = unquoted(sql.subarray(at + 1, end - 1), hasBackslash)
      if (!isPlain(bytes)) {
        parts.push(sql.subarray(copied, at - INTRODUCER.length), Buffer.from(`X'${bytes.toString('hex')}'`))
        copied = end
      }
    }
    at = end
  }
  return copied === 0 ? sql : Buffer.concat([...parts, sql.subarray(copied)])
}

/** Behind a quoted text, a comment, or one other byte. */
function endOfToken(sql: Buffer, at: number, hasBackslash: boolean): number {
  const byte = sql[at]
  if (byte === QUOTE || byte === DOUBLE_QUOTE) return endOfQuoted(sql, at, hasBackslash)
  if (byte === BACKQUOTE) return endOfQuoted(sql, at, false)
  const begins = sql.toString('latin1', at, at + 3)
  if (begins.startsWith('#') || /^--\s/.test(begins)) return behind(sql, '\n', at)
  // What a comment of MySQL's own holds is read as a part of the statement.
  if (begins.startsWith('/*') && begins !== '/*!') return behind(sql, '*/', at + 2)
  return at + 1
}

function behind(sql: Buffer, end: string, from: number): number {
  const found = sql.indexOf(end, from)
  return found < 0 ? sql.length : found + end.length
}

/** Beyond the end where it is never closed: it is left for who reads the statement to say so. */
function endOfQuoted(sql: Buffer, from: number, hasBackslash: boolean): number {
  const quote = sql[from]
  for (let at = from + 1; at < sql.length; at++) {
    if (sql[at] === BACKSLASH && hasBackslash) at++
    else if (sql[at] === quote && sql[at + 1] === quote) at++
    else if (sql[at] === quote) return at + 1
  }
  return Infinity
}

function isIntroduced(sql: Buffer, quote: number): boolean {
  const from = quote - INTRODUCER.length
  if (from < 0 || !sql.subarray(from, quote).equals(INTRODUCER)) return false
  return from === 0 || !WORD.test(sql.toString('latin1', from - 1, from))
}

function unquoted(inside: Buffer, hasBackslash: boolean): Buffer {
  const bytes = Buffer.alloc(inside.length)
  let length = 0
  for (let at = 0; at < inside.length; at++) {
    let byte = inside[at] ?? 0
    if (byte === BACKSLASH && hasBackslash) {
      const next = inside[++at] ?? BACKSLASH
      byte = ESCAPED.get(next) ?? next
    } else if (byte === QUOTE) at++
    bytes[length++] = byte
  }
  return bytes.subarray(0, length)
}

/** Characters that every character set has, and that no engine takes for the beginning of something else. */
const isPlain = (bytes: Buffer): boolean =>
  bytes.every((byte) => byte >= 0x20 && byte < 0x7f && byte !== BACKSLASH)
