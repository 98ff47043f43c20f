import { tokenize } from './lexer.ts'

// The engine's interface ends a text at its first NUL: quoting one would cut the statement short.
function refuseNul(text: string, what: string): void {
  if (text.includes('\0')) throw new Error(`The ${what} holds a NUL character; remove it.`)
}

export function quoteIdentifier(name: string): string {
  refuseNul(name, 'name')
  return inDoubleQuotes(name)
}

const inDoubleQuotes = (name: string) => `"${name.replaceAll('"', '""')}"`

export function quoteString(text: string): string {
  refuseNul(text, 'text')
  return `'${text.replaceAll("'", "''")}'`
}

/** The name that an identifier stands for, whether bare, "double-quoted" or `backticked`. */
export function unquoteIdentifier(tokenText: string): string {
  const quote = tokenText.charAt(0)
  if (quote !== '"' && quote !== '`') return tokenText
  return tokenText.slice(1, -1).replaceAll(quote + quote, quote)
}

/** The text that a closed string literal stands for: '...', E'...' or $tag$...$tag$. */
export function unquoteString(tokenText: string): string {
  if (tokenText.startsWith("'")) return tokenText.slice(1, -1).replaceAll("''", "'")
  if (!tokenText.startsWith('$')) return tokenText.slice(2, -1).replace(ESCAPE, decodeEscape)
  const tagLength = tokenText.indexOf('$', 1) + 1
  return tokenText.slice(tagLength, -tagLength)
}

const ESCAPE = /''|\\(?:x[0-9a-fA-F]{1,2}|[0-7]{1,3}|[^])/g
const NAMED_ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

function decodeEscape(escape: string): string {
  if (escape === "''") return "'"
  const body = escape.slice(1)
  const digits = /^x(.+)/.exec(body)?.[1]
  if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16))
  if (/^[0-7]/.test(body)) return String.fromCharCode(Number.parseInt(body, 8))
  return NAMED_ESCAPES[body] ?? body
}

/**
 * The same text with its backticked identifiers in double quotes. To the engine a backtick is an operator and
 * ends nothing, so a semicolon between two of them would part the statement there: always send this text.
 */
export function requoteBackticks(text: string): string {
  let requoted = ''
  for (const token of tokenize(text)) {
    const piece = text.slice(token.start, token.end)
    const isBackticked = piece.startsWith('`') && !token.unterminated
    requoted += isBackticked ? inDoubleQuotes(unquoteIdentifier(piece)) : piece
  }
  return requoted
}
