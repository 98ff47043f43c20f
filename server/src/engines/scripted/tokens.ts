import { refused } from './refused.ts'

export interface Token {
  readonly kind: 'word' | 'name' | 'number' | 'text' | 'sign' | 'end'
  /** A word in capitals, a name or text without its quotes. */
  readonly text: string
  /** As it was written. */
  readonly written: string
  readonly offset: number
}

const BLANK = /(?:\s|--[^\n]*|\/\*[^]*?\*\/)+/y
const FORMS: readonly (readonly [kind: Exclude<Token['kind'], 'end'>, form: RegExp])[] = [
  ['word', /[\p{L}_][\p{L}\p{N}_]*/uy],
  ['number', /\d+/y],
  ['text', /'(?:[^']|'')*'/y],
  ['name', /"(?:[^"]|"")+"/y],
  ['sign', /<>|<=|>=|\|\||[-+*/%=<>(),.;]/y],
]

function matchAt(form: RegExp, sql: string, offset: number): string | null {
  form.lastIndex = offset
  return form.exec(sql)?.[0] ?? null
}

function textOf(kind: Token['kind'], written: string): string {
  if (kind === 'word') return written.toUpperCase()
  if (kind === 'text') return written.slice(1, -1).replaceAll("''", "'")
  return kind === 'name' ? written.slice(1, -1).replaceAll('""', '"') : written
}

function tokenAt(sql: string, offset: number): Token {
  for (const [kind, form] of FORMS) {
    const written = matchAt(form, sql, offset)
    if (written !== null) return { kind, text: textOf(kind, written), written, offset }
  }
  throw refused('syntax', `This engine cannot read ${JSON.stringify(sql[offset])}.`, offset)
}

/** The last one is always `end`. */
export function tokensOf(sql: string): Token[] {
  const tokens: Token[] = []
  let offset = 0
  for (;;) {
    offset += matchAt(BLANK, sql, offset)?.length ?? 0
    if (offset >= sql.length) break
    const token = tokenAt(sql, offset)
    tokens.push(token)
    offset += token.written.length
  }
  return [...tokens, { kind: 'end', text: '', written: '', offset: sql.length }]
}
