// The engine's interface ends a text at its first NUL: quoting one would cut the statement short.
function refuseNul(text: string, what: string): void {
  if (text.includes('\0')) throw new Error(`The ${what} holds a NUL character; remove it.`)
}

export function quoteIdentifier(name: string): string {
  refuseNul(name, 'name')
  return inDoubleQuotes(name)
}

// Looked at first: of a long text of short names, replacing nothing would take most of the time.
const doubled = (name: string, quote: string) =>
  name.includes(quote) ? name.replaceAll(quote, quote + quote) : name

export const inDoubleQuotes = (name: string) => `"${doubled(name, '"')}"`

export function quoteString(text: string): string {
  refuseNul(text, 'text')
  return `'${text.replaceAll("'", "''")}'`
}

/** The name that an identifier stands for, whether bare, "double-quoted" or `backticked`. */
export function unquoteIdentifier(tokenText: string): string {
  const quote = tokenText.charAt(0)
  if (quote !== '"' && quote !== '`') return tokenText
  const name = tokenText.slice(1, -1)
  return name.includes(quote) ? name.replaceAll(quote + quote, quote) : name
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
