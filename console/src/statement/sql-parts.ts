import { Lexer, TOKEN, type TokenKind } from '@boathouse/sql'
import { KEYWORD_LIST } from './keywords.ts'

export interface SqlPart {
  readonly text: string
  /** What is drawn in a colour of its own. */
  readonly kind: 'keyword' | 'string' | 'number' | 'comment' | null
}

/** Beyond it a page would be slow, and nobody reads on for the colours. */
const MOST_COLORED = 50_000

const KEYWORDS = new Set(KEYWORD_LIST)

const KINDS: Partial<Record<TokenKind, SqlPart['kind']>> = {
  [TOKEN.string]: 'string',
  [TOKEN.number]: 'number',
  [TOKEN.comment]: 'comment',
}

/** Put together, the parts are the text again. */
export function sqlParts(sql: string): readonly SqlPart[] {
  if (sql.length > MOST_COLORED) return [{ text: sql, kind: null }]
  const parts: { text: string; kind: SqlPart['kind'] }[] = []
  const lexer = new Lexer(sql)
  while (lexer.next()) {
    const text = sql.slice(lexer.start, lexer.end)
    // A part of a name is no keyword, whatever it is called.
    const isNamePart = sql[lexer.start - 1] === '.' || sql[lexer.end] === '.'
    const isKeyword = lexer.kind === TOKEN.word && !isNamePart && KEYWORDS.has(text.toLowerCase())
    const kind = isKeyword ? 'keyword' : (KINDS[lexer.kind] ?? null)
    const last = parts.at(-1)
    if (last?.kind === kind) last.text += text
    else parts.push({ text, kind })
  }
  return parts
}

/** The same line by line, without the line breaks. */
export function sqlLines(sql: string): readonly (readonly SqlPart[])[] {
  const lines: SqlPart[][] = [[]]
  for (const { text, kind } of sqlParts(sql))
    for (const [index, piece] of text.split('\n').entries()) {
      if (index > 0) lines.push([])
      if (piece) lines.at(-1)?.push({ text: piece, kind })
    }
  return lines
}

/** The part of a line before a column and the part after it, both in colour. */
export function splitLine(
  line: readonly SqlPart[],
  at: number,
): readonly [readonly SqlPart[], readonly SqlPart[]] {
  const before: SqlPart[] = []
  const behind: SqlPart[] = []
  let from = 0
  for (const { text, kind } of line) {
    const cut = Math.min(Math.max(at - from, 0), text.length)
    if (cut > 0) before.push({ text: text.slice(0, cut), kind })
    if (cut < text.length) behind.push({ text: text.slice(cut), kind })
    from += text.length
  }
  return [before, behind]
}
