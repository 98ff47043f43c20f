import { Lexer, TOKEN } from '@boathouse/sql'

/** A word, a name or a symbol of a statement. */
export interface Word {
  readonly kind: 'word'
  readonly text: string
  /** In small letters for what can be a keyword, symbols as they are; empty for names in quotes and texts. */
  readonly key: string
  readonly isName: boolean
  readonly start: number
  readonly end: number
}

/** What is in parentheses; one that is not closed ends with the text. */
export interface Group {
  readonly kind: 'group'
  readonly parts: readonly Part[]
  /** Of its opening parenthesis; -1 for the whole text. */
  readonly start: number
  /** Behind its closing parenthesis. */
  readonly end: number
  readonly isClosed: boolean
}

export type Part = Word | Group

interface OpenGroup {
  readonly start: number
  readonly parts: Part[]
}

const isKeyword = (kind: number): boolean =>
  kind === TOKEN.word || kind === TOKEN.operator || kind === TOKEN.punctuation

/** The words of a text in groups by its parentheses, without comments; also of a text that is not complete. */
export function groupsOf(text: string): Group {
  const lexer = new Lexer(text)
  let group: OpenGroup = { start: -1, parts: [] }
  const outer: OpenGroup[] = []
  const close = (end: number, isClosed: boolean): void => {
    const closed = { kind: 'group' as const, ...group, end, isClosed }
    group = outer.pop() ?? { start: -1, parts: [] }
    group.parts.push(closed)
  }
  while (lexer.next()) {
    const { kind, start, end } = lexer
    if (kind === TOKEN.whitespace || kind === TOKEN.comment) continue
    const token = text.slice(start, end)
    if (token === '(') {
      outer.push(group)
      group = { start, parts: [] }
    } else if (token === ')' && outer.length > 0) close(end, true)
    else
      group.parts.push({
        kind: 'word',
        text: token,
        key: isKeyword(kind) ? token.toLowerCase() : '',
        isName: kind === TOKEN.word || kind === TOKEN.quotedIdentifier,
        start,
        end,
      })
  }
  while (outer.length > 0) close(text.length, false)
  return { kind: 'group', ...group, end: text.length, isClosed: false }
}

export const isGroup = (part: Part | undefined): part is Group => part?.kind === 'group'
export const keyOf = (part: Part | undefined): string => (part?.kind === 'word' ? part.key : '')
export const isName = (part: Part | undefined): part is Word => part?.kind === 'word' && part.isName
