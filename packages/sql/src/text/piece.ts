import { unquoteString } from './quoting.ts'
import { TOKEN } from './token.ts'
import type { Tokens } from './tokens.ts'

/** A part of a text and its tokens. What a token says is read from the text when somebody asks. */
export interface Piece {
  readonly text: string
  /** Where it begins in the text that the tokens are of. */
  readonly start: number
  readonly tokens: Tokens
  /** The indices of its tokens, `until` exclusive. */
  readonly first: number
  readonly until: number
}

const LONGEST_KEYWORD = 32

export const kindAt = ({ tokens, until }: Piece, at: number): number =>
  at < until ? (tokens.kinds[at] ?? 0) : 0

/** The offset of a token in the text of the piece; behind the last token, the end of that text. */
export const offsetOf = ({ text, start, tokens, until }: Piece, at: number): number =>
  at < until ? (tokens.starts[at] ?? 0) - start : text.length

export function textAt({ text, start, tokens }: Piece, at: number): string {
  return text.slice((tokens.starts[at] ?? 0) - start, (tokens.ends[at] ?? 0) - start)
}

/** What a closed string literal stands for, by the quotes of its text. */
export const stringAt = (piece: Piece, at: number): string =>
  unquoteString(textAt(piece, at), piece.tokens.quotes)

/** Words in capitals, symbols as they are, empty for what can never be a keyword. */
export function keywordAt(piece: Piece, at: number): string {
  const kind = kindAt(piece, at)
  if (kind === TOKEN.operator || kind === TOKEN.punctuation) return textAt(piece, at)
  if (kind !== TOKEN.word || lengthAt(piece, at) > LONGEST_KEYWORD) return ''
  const word = textAt(piece, at)
  // No keyword has other letters than ASCII's, but the capitals of some are: `ınsert` would be INSERT.
  return isAscii(word) ? word.toUpperCase() : ''
}

const lengthAt = ({ tokens }: Piece, at: number): number => (tokens.ends[at] ?? 0) - (tokens.starts[at] ?? 0)

function isAscii(word: string): boolean {
  for (let at = 0; at < word.length; at++) if (word.charCodeAt(at) >= 0x80) return false
  return true
}

export const isUnterminated = ({ tokens }: Piece, at: number): boolean =>
  tokens.unterminated && at === tokens.kinds.length - 1

/** Whether it stands for a name: a word, or a quoted identifier that ends. */
export function isName(piece: Piece, at: number): boolean {
  const kind = kindAt(piece, at)
  return kind === TOKEN.word || (kind === TOKEN.quotedIdentifier && !isUnterminated(piece, at))
}

const SYMBOL_CODE = { '(': 0x28, ';': 0x3b } as const

/** As `keywordAt(piece, at) === symbol`, for loops over all tokens. */
export const isSymbol = (piece: Piece, at: number, symbol: keyof typeof SYMBOL_CODE): boolean =>
  kindAt(piece, at) === TOKEN.punctuation &&
  piece.text.charCodeAt(offsetOf(piece, at)) === SYMBOL_CODE[symbol]
