/**
 * The tokens of a text as Trino's own lexer finds them, since what is decided on must be what it runs. It knows no escapes
 * in texts, no nested comments, and no letters beyond ASCII outside of quotes.
 */
export interface SqlToken {
  readonly kind: 'word' | 'name' | 'text' | 'number' | 'sign' | 'other'
  /** Words in capitals, all else as it is written. */
  readonly text: string
  readonly start: number
  readonly end: number
}

const TOKEN = new RegExp(
  [
    String.raw`(?<skipped>[ \r\n\t]+|--[^\r\n]*|/\*[^]*?\*/)`,
    String.raw`(?<text>(?:[Uu]&|[Xx])?'[^']*(?:''[^']*)*')`,
    String.raw`(?<name>"[^"]*(?:""[^"]*)*")`,
    String.raw`(?<number>\d[\d_]*\.[\d_]*(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\d\w*)`,
    String.raw`(?<word>[A-Za-z_]\w*)`,
    String.raw`(?<sign>->|=>|<=|>=|<>|!=|\|\||[-+*/%=<>()[\].,;:?|&^{}])`,
    String.raw`(?<other>[^])`,
  ].join('|'),
  'y',
)

const KINDS = ['text', 'name', 'number', 'word', 'sign'] as const

export function tokensOf(sql: string): SqlToken[] {
  const tokens: SqlToken[] = []
  TOKEN.lastIndex = 0
  for (let found = TOKEN.exec(sql); found; found = TOKEN.exec(sql)) {
    const { groups = {}, index: start } = found
    if (groups.skipped !== undefined) continue
    const kind = KINDS.find((name) => groups[name] !== undefined) ?? 'other'
    const [text] = found
    tokens.push({
      kind,
      text: kind === 'word' ? text.toUpperCase() : text,
      start,
      end: start + text.length,
    })
  }
  return tokens
}

const OPENING = new Set(['(', '['])
const CLOSING = new Set([')', ']'])

/** The first of these words that is in no brackets, from a token on; -1 when there is none. */
export function findOutside(tokens: readonly SqlToken[], words: ReadonlySet<string>, from = 0): number {
  let depth = 0
  for (let at = from; at < tokens.length; at++) {
    const { kind, text } = tokens[at] ?? { kind: 'other', text: '' }
    if (kind === 'sign' && OPENING.has(text)) depth++
    else if (kind === 'sign' && CLOSING.has(text)) depth--
    else if (kind === 'word' && depth === 0 && words.has(text)) return at
  }
  return -1
}

/** A name that a token stands for, as Trino compares names; null for other tokens. */
export function nameOf(token: SqlToken | undefined): string | null {
  if (token?.kind === 'name') return token.text.slice(1, -1).replaceAll('""', '"').toLowerCase()
  return token?.kind === 'word' ? token.text.toLowerCase() : null
}

const QUERY_WORDS = new Set(['SELECT', 'WITH', 'VALUES', 'TABLE'])

/** Whether a query begins there. */
export function isQueryAt(tokens: readonly SqlToken[], at: number): boolean {
  const { kind, text } = tokens[at] ?? { kind: 'other', text: '' }
  return (kind === 'word' && QUERY_WORDS.has(text)) || (kind === 'sign' && text === '(')
}

/** What a text in quotes stands for. */
export const unquoteText = ({ text }: SqlToken): string => text.slice(1, -1).replaceAll("''", "'")
