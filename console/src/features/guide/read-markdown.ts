import { Lexer, type Token, type Tokens } from 'marked'

/** Markdown as values: nothing of it becomes an element but what is named here. */

export type Inline =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis'; readonly line: Line }
  | { readonly kind: 'link'; readonly line: Line; readonly to: string }

export type Line = readonly Inline[]

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly id: string; readonly line: Line }
  | { readonly kind: 'paragraph'; readonly line: Line }
  /** Of an item of a list whose items have no space between them. */
  | { readonly kind: 'text'; readonly line: Line }
  /** In a line of its own; `name` is that of the file. */
  | { readonly kind: 'picture'; readonly name: string; readonly text: string }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly (readonly Block[])[] }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | { readonly kind: 'table'; readonly head: readonly Line[]; readonly rows: readonly (readonly Line[])[] }

export const textOf = (line: Line): string =>
  line.map((part) => ('line' in part ? textOf(part.line) : part.text)).join('')

/** As links name a heading: lower case, without signs, words joined by a dash. */
export const idOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replaceAll(/\s+/g, '-')

/** A site, a page of the guide or a heading. Anything else, such as a script, is no link. */
const LINK = /^(?:https?:\/\/|[\w#][\w./-]*(?:#[\w-]+)?$)/

/** What is read within a line; there are others. */
type LineToken =
  | Tokens.Strong
  | Tokens.Em
  | Tokens.Codespan
  | Tokens.Link
  | Tokens.Br
  | Tokens.Text
  | Tokens.Escape

function partsOf(token: LineToken): Inline[] {
  const { raw } = token
  switch (token.type) {
    case 'strong':
      return [{ kind: 'strong', line: lineOf(token.tokens) }]
    case 'em':
      return [{ kind: 'emphasis', line: lineOf(token.tokens) }]
    case 'codespan':
      return [{ kind: 'code', text: token.text }]
    case 'link': {
      const line = lineOf(token.tokens)
      return LINK.test(token.href) ? [{ kind: 'link', line, to: token.href }] : [...line]
    }
    case 'br':
      return [{ kind: 'text', text: ' ' }]
    case 'text':
      return token.tokens ? [...lineOf(token.tokens)] : [{ kind: 'text', text: token.text }]
    case 'escape':
      return [{ kind: 'text', text: token.text }]
    default:
      // HTML, too, is shown as it is written.
      return [{ kind: 'text', text: raw }]
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0' }

/** Line ends are spaces; names of signs become the signs. */
const plain = (text: string): string =>
  text.replaceAll(/\s*\n\s*/g, ' ').replaceAll(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)

/** Texts side by side are one. */
function lineOf(tokens: readonly Token[]): Line {
  const line: Inline[] = []
  for (const part of tokens.flatMap((token) => partsOf(token as LineToken))) {
    const before = line.at(-1)
    if (part.kind !== 'text') line.push(part)
    else if (before?.kind === 'text')
      line.splice(-1, 1, { kind: 'text', text: before.text + plain(part.text) })
    else line.push({ kind: 'text', text: plain(part.text) })
  }
  return line
}

const PICTURE = /(?:^|\/)([\w-]+)\.webp$/

/** A paragraph of nothing but a picture of ours is the picture. */
function paragraphOf({ tokens }: Tokens.Paragraph): Block {
  const [only, another] = tokens as (Tokens.Image | LineToken)[]
  const name = only?.type === 'image' && !another ? PICTURE.exec(only.href)?.[1] : undefined
  if (only?.type === 'image' && name) return { kind: 'picture', name, text: only.text }
  return { kind: 'paragraph', line: lineOf(tokens) }
}

/** What is read as a block; there are others. */
type BlockToken =
  | Tokens.Space
  | Tokens.Def
  | Tokens.Hr
  | Tokens.Heading
  | Tokens.Paragraph
  | Tokens.Code
  | Tokens.Blockquote
  | Tokens.List
  | Tokens.Table
  | Tokens.Text

function blocksOf(token: BlockToken): Block[] {
  const { raw } = token
  switch (token.type) {
    case 'space':
    case 'def':
    case 'hr':
      return []
    case 'heading': {
      const line = lineOf(token.tokens)
      return [{ kind: 'heading', level: token.depth, id: idOf(textOf(line)), line }]
    }
    case 'paragraph':
      return [paragraphOf(token)]
    case 'code':
      return [{ kind: 'code', language: token.lang ?? '', text: token.text }]
    case 'blockquote':
      return [{ kind: 'quote', blocks: allBlocks(token.tokens) }]
    case 'list':
      return [
        { kind: 'list', ordered: token.ordered, items: token.items.map((item) => allBlocks(item.tokens)) },
      ]
    case 'table':
      return [
        {
          kind: 'table',
          head: token.header.map((cell) => lineOf(cell.tokens)),
          rows: token.rows.map((row) => row.map((cell) => lineOf(cell.tokens))),
        },
      ]
    case 'text':
      return [{ kind: 'text', line: lineOf(token.tokens ?? [token]) }]
    default:
      return [{ kind: 'paragraph', line: [{ kind: 'text', text: raw.trim() }] }]
  }
}

const allBlocks = (tokens: readonly Token[]): Block[] =>
  tokens.flatMap((token) => blocksOf(token as BlockToken))

export const readMarkdown = (source: string): readonly Block[] =>
  allBlocks(new Lexer({ gfm: true }).lex(source))
