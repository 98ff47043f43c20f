import { Lexer } from './lexer.ts'
import type { Quotes } from './quotes.ts'
import { type Token, TOKEN } from './token.ts'

/** As `@@version` says: 8.0.33. */
const OUR_VERSION = 80_033
const OPENING = /\/\*!(\d{5,6})?\s*(?=SET\s)/iy
const CLOSING_LENGTH = 2
const IS_WHOLE_STATEMENT = /\s*(?:;|$)/y

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/**
 * Programs send `/*!40101 SET …` as a comment, for servers that are too old to know what they set. A comment that holds a
 * whole SET is that statement. Any other of this kind stays a comment: engines take them for that, and both must read the
 * same. `comment` is closed and begins where a statement could; its tokens are those of the SET, or none.
 */
export function tokensOfConditionalSet(
  comment: { readonly text: string } & Pick<Token, 'start' | 'end'>,
  quotes: Quotes,
): readonly Token[] {
  const { text, start, end } = comment
  const opening = matchAt(OPENING, text, start)
  if (!opening || Number(opening[1] ?? 0) > OUR_VERSION || !matchAt(IS_WHOLE_STATEMENT, text, end)) return []
  const lexer = new Lexer(text.slice(0, end - CLOSING_LENGTH), quotes)
  lexer.end = start + opening[0].length
  const tokens: Token[] = []
  while (lexer.next()) {
    // What is not closed inside would be closed by something behind it; and it is one statement, or none.
    if (lexer.unterminated || text.charAt(lexer.start) === ';') return []
    if (lexer.kind !== TOKEN.whitespace && lexer.kind !== TOKEN.comment)
      tokens.push({ kind: lexer.kind, start: lexer.start, end: lexer.end })
  }
  return tokens
}
