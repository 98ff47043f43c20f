import { needsOtherComments, replaceComments } from './other-comments.ts'
import { isUnterminated, keywordAt, kindAt, offsetOf, type Piece, stringAt, textAt } from './piece.ts'
import { areStandard, dependsOnQuotes, type Quotes } from './quotes.ts'
import { inDoubleQuotes, textLiteral, unquoteIdentifier } from './quoting.ts'
import { TextEdits } from './text-edits.ts'
import { TOKEN } from './token.ts'

/** Whether something in a text is quoted in another way than standard SQL does. */
export const needsRequoting = (text: string, quotes: Quotes): boolean =>
  text.includes('`') || hasOtherTexts(text, quotes)

/** Texts, and not only names, may be quoted in another way. */
const hasOtherTexts = (text: string, quotes: Quotes): boolean => !areStandard(quotes) && dependsOnQuotes(text)

/** Writes the name or the text at a token in the quotes of standard SQL, where it is not. */
export function requote(piece: Piece, at: number, edits: TextEdits): void {
  const kind = kindAt(piece, at)
  if (kind === TOKEN.quotedIdentifier) requoteName(piece, at, edits)
  else if (kind === TOKEN.string && !areStandard(piece.tokens.quotes)) requoteText(piece, at, edits)
}

/** The statement in the quotes of standard SQL, so that it means the same whatever `sql_mode` is later. */
export function withStandardQuotes(piece: Piece): string {
  const { text, tokens } = piece
  const hasOtherComments = needsOtherComments(text, tokens.quotes)
  if (!needsRequoting(text, tokens.quotes) && !hasOtherComments) return text
  const edits = new TextEdits(text)
  for (let at = piece.first; at < piece.until; at++) {
    if (hasOtherComments) replaceComments(piece, at, edits)
    requote(piece, at, edits)
  }
  if (hasOtherComments) replaceComments(piece, piece.until, edits)
  return edits.finish()?.text ?? piece.text
}

function requoteName(piece: Piece, at: number, edits: TextEdits): void {
  const start = offsetOf(piece, at)
  if (piece.text.charAt(start) !== '`' || isUnterminated(piece, at)) return
  const text = textAt(piece, at)
  const end = start + text.length
  // Right beside another name in double quotes the two would be one.
  const [before, after] = [start - 1, end].map((place) => (piece.text.charAt(place) === '"' ? ' ' : ''))
  edits.replace(start, end, `${before}${inDoubleQuotes(unquoteIdentifier(text))}${after}`)
}

/** A text literal with the quotes of standard SQL, whatever quotes it is written with. */
export function literalAt(piece: Piece, at: number): string {
  const text = textAt(piece, at)
  if (areStandard(piece.tokens.quotes) || text.startsWith('$')) return text
  // In parentheses: on the line before another literal it would have its escapes work in that one too.
  if (/^e/i.test(text)) return `(${text})`
  return textLiteral(stringAt(piece, at))
}

/** Right behind one of these, a quote would be a part of what comes before it. */
const CLINGS = /[\p{L}\p{N}_'"`$&]/u

/** Blanks keep it from what it touches: `E"a\\"` would else become E'a\', which does not end there. */
function requoteText(piece: Piece, at: number, edits: TextEdits): void {
  if (isUnterminated(piece, at)) return
  const text = textAt(piece, at)
  const start = offsetOf(piece, at)
  const end = start + text.length
  const literal = literalAt(piece, at) + escapeOf(piece, at)
  if (literal === text) return
  const before = CLINGS.test(piece.text.charAt(start - 1)) ? ' ' : ''
  const after = CLINGS.test(piece.text.charAt(end)) ? ' ' : ''
  edits.replace(start, end, before + literal + after)
}

/** In patterns of other servers a backslash escapes, unless they say what else does. */
function escapeOf(piece: Piece, at: number): string {
  if (!piece.tokens.quotes.escapes || keywordAt(piece, at - 1) !== 'LIKE') return ''
  const isOpen = keywordAt(piece, at + 1) !== 'ESCAPE' && kindAt(piece, at + 1) !== TOKEN.string
  return isOpen && stringAt(piece, at).includes('\\') ? String.raw` ESCAPE '\'` : ''
}
