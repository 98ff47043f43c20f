import { STANDARD_QUOTES } from './quotes.ts'

// The engine's interface ends a text at its first NUL: quoting one would cut the statement short.
function refuseNul(text: string, what: string): void {
  if (text.includes('\0')) throw new Error(`The ${what} contains a NUL character. Remove it.`)
}

export function quoteIdentifier(name: string): string {
  refuseNul(name, 'name')
  return inDoubleQuotes(name)
}

// Looked at first: of a long text of short names, replacing nothing would take most of the time.
const doubled = (name: string, quote: string) =>
  name.includes(quote) ? name.replaceAll(quote, quote + quote) : name

export const inDoubleQuotes = (name: string) => `"${doubled(name, '"')}"`

/** A name in quotes that mean the same whatever sql_mode says, for texts that are read as a user's. */
export function backquoteIdentifier(name: string): string {
  refuseNul(name, 'name')
  return `\`${doubled(name, '`')}\``
}

export function quoteString(text: string): string {
  refuseNul(text, 'text')
  return `'${text.replaceAll("'", "''")}'`
}

/** A text as a literal, or as an expression where no literal can hold it: without ||, which is OR to MySQL. */
export const textLiteral = (text: string): string =>
  text.includes('\0') ? `concat(${text.split('\0').map(quoteString).join(', chr(0), ')})` : quoteString(text)

/** The name that an identifier stands for, whether bare, "double-quoted" or `backticked`. */
export function unquoteIdentifier(tokenText: string): string {
  const quote = tokenText.charAt(0)
  if (quote !== '"' && quote !== '`') return tokenText
  const name = tokenText.slice(1, -1)
  return name.includes(quote) ? name.replaceAll(quote + quote, quote) : name
}

/** The text that a closed string literal stands for: '...', "...", E'...' or $tag$...$tag$. */
export function unquoteString(tokenText: string, { escapes } = STANDARD_QUOTES): string {
  const quote = tokenText.charAt(0)
  if (quote === "'" || quote === '"') {
    const body = tokenText.slice(1, -1)
    return escapes ? decodeMysql(body, quote) : body.replaceAll(quote + quote, quote)
  }
  if (quote !== '$') return tokenText.slice(2, -1).replace(ESCAPE, decodeEscape)
  const tagLength = tokenText.indexOf('$', 1) + 1
  return tokenText.slice(tagLength, -tagLength)
}

/** Of other servers: any other character stands for itself, and % and _ keep the backslash, for patterns. */
const MYSQL_ESCAPES: Readonly<Record<string, string>> = {
  '0': '\0',
  b: '\b',
  n: '\n',
  r: '\r',
  t: '\t',
  Z: '\x1a',
  '%': String.raw`\%`,
  _: String.raw`\_`,
}

function decodeMysql(body: string, quote: string): string {
  return body.replace(quote === '"' ? /""|\\[^]/g : /''|\\[^]/g, (found) =>
    found === quote + quote ? quote : (MYSQL_ESCAPES[found.slice(1)] ?? found.slice(1)),
  )
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
