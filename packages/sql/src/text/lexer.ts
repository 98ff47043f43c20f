import {
  BLANK,
  classOf,
  DIGIT,
  isDigit,
  isLineBreak,
  isOperator,
  LETTER,
  PUNCTUATION,
  skipBlanks,
  skipDigits,
  skipLine,
  skipTag,
  skipWord,
  startsWord,
} from './characters.ts'
import {
  NEVER_CLOSED,
  scanBlockComment,
  scanDollarQuoted,
  scanEscapedString,
  scanQuoted,
} from './scan-delimited.ts'
import { STANDARD_QUOTES, areStandard, type Quotes } from './quotes.ts'
import { scanNumber } from './scan-number.ts'
import { TOKEN, type TokenKind } from './token.ts'

const codeOf = (character: string) => character.charCodeAt(0)

const LONG_OPERATORS = new Set(
  '!~~* !~~ !~* ~~* ->> <=> :: := -> => <= >= <> != == || && << >> ** // ^@ @> <@ @@ ~~ ~* !~'.split(' '),
)
const LONGEST_OPERATOR = 4

const [QUOTE, DOUBLE_QUOTE, BACKTICK, DOLLAR] = [codeOf("'"), codeOf('"'), codeOf('`'), codeOf('$')]
const [MINUS, SLASH, STAR, COLON] = [codeOf('-'), codeOf('/'), codeOf('*'), codeOf(':')]
const [DOT, QUESTION, SMALL_E] = [codeOf('.'), codeOf('?'), codeOf('e')]
const [OPENING, COMMA, HASH] = [codeOf('('), codeOf(','), codeOf('#')]

/** Blanks and control characters; past the end of a text a code is NaN. */
const LAST_BLANK = 0x20

const isE = (code: number) => (code | 0x20) === SMALL_E

/**
 * Walks over any text token by token; put together, the tokens are the text again. Takes time linear in the length of
 * the text and makes no object for a token: `next` steps on, and the fields describe the token.
 */
export class Lexer {
  readonly text: string
  readonly #quotes: Quotes
  kind: TokenKind = TOKEN.unknown
  /** UTF-16 offsets, `end` exclusive. */
  start = 0
  end = 0
  /** A string, comment or quoted identifier that the text ends inside of. */
  unterminated = false
  /** E'a' <line break> 'b\'' is one literal to the engine: the later parts keep the escapes of the first. */
  #escapesUntil = -1

  constructor(text: string, quotes: Quotes = STANDARD_QUOTES) {
    this.text = text
    this.#quotes = quotes
  }

  /** False at the end of the text. */
  next(): boolean {
    const { text, end: at } = this
    if (at >= text.length) return false
    const before = this.kind
    this.start = at
    const code = text.charCodeAt(at)
    const isCarried = code === QUOTE && this.#carriesEscapes()
    if (isCarried) this.#delimited(TOKEN.string, scanEscapedString(text, at))
    else this.#scan(code, before)
    // With other quotes every such literal is requoted, and carries nothing.
    const opensEscapes = this.kind === TOKEN.string && isE(code) && areStandard(this.#quotes)
    if (isCarried || opensEscapes) this.#escapesUntil = this.end
    else if (!this.#isGap(code)) this.#escapesUntil = -1
    return true
  }

  #carriesEscapes(): boolean {
    if (this.#escapesUntil === -1) return false
    for (let at = this.#escapesUntil; at < this.start; at++)
      if (isLineBreak(this.text.charCodeAt(at))) return true
    return false
  }

  #isGap(code: number): boolean {
    return this.kind === TOKEN.whitespace || (this.kind === TOKEN.comment && code === MINUS)
  }

  #token(kind: TokenKind, end: number): void {
    this.kind = kind
    this.end = end
  }

  #delimited(kind: TokenKind, end: number): void {
    this.kind = kind
    this.unterminated = end === NEVER_CLOSED
    this.end = this.unterminated ? this.text.length : end
  }

  #scan(code: number, before: TokenKind): void {
    const { text, start } = this
    // Asked for once: most of the time of a long text is spent here.
    const of = classOf(code)
    if (of === BLANK) return this.#token(TOKEN.whitespace, skipBlanks(text, start + 1))
    if (of === LETTER) return this.#wordOrEscapedString(code)
    if (of === DIGIT) return this.#token(TOKEN.number, scanNumber(text, start))
    if (of === PUNCTUATION && !(code === DOT && isDigit(text.charCodeAt(start + 1))))
      return this.#token(TOKEN.punctuation, start + 1)
    switch (code) {
      case QUOTE:
        return this.#string()
      case DOUBLE_QUOTE:
        if (this.#quotes.doubleIsText) return this.#string()
        return this.#delimited(TOKEN.quotedIdentifier, scanQuoted(text, start))
      case BACKTICK:
        return this.#delimited(TOKEN.quotedIdentifier, scanQuoted(text, start))
      case DOLLAR:
        return this.#dollar()
      case MINUS:
      case SLASH:
      case HASH:
        return this.#commentOrOperator(code)
      default:
        return this.#symbol(code, before)
    }
  }

  #string(): void {
    const { text, start } = this
    const end = this.#quotes.escapes ? scanEscapedString(text, start) : scanQuoted(text, start)
    this.#delimited(TOKEN.string, end)
  }

  #wordOrEscapedString(code: number): void {
    const { text, start } = this
    const isPrefix = isE(code) && text.charCodeAt(start + 1) === QUOTE
    if (isPrefix) this.#delimited(TOKEN.string, scanEscapedString(text, start + 1))
    else this.#token(TOKEN.word, skipWord(text, start + 1))
  }

  #commentOrOperator(code: number): void {
    const { text, start } = this
    const following = text.charCodeAt(start + 1)
    const opensLine = code === HASH ? this.#hasMysqlComments : following === code && this.#isDashComment()
    if (code !== SLASH && opensLine) this.#token(TOKEN.comment, skipLine(text, start))
    else if (code === SLASH && following === STAR)
      this.#delimited(TOKEN.comment, scanBlockComment(text, start))
    else this.#token(TOKEN.operator, operatorEnd(text, start))
  }

  get #hasMysqlComments(): boolean {
    return this.#quotes.comments === 'mysql'
  }

  /** `5--1` is a sum there, and `-- 1` a comment. */
  #isDashComment(): boolean {
    const behind = this.text.charCodeAt(this.start + 2)
    return !this.#hasMysqlComments || !(behind > LAST_BLANK)
  }

  /** `$1` and `$name` are parameters, `$$` and `$tag$` open strings, a dollar alone is nothing. */
  #dollar(): void {
    const { text, start } = this
    if (isDigit(text.charCodeAt(start + 1))) return this.#token(TOKEN.parameter, skipDigits(text, start + 1))
    const end = skipTag(text, start + 1)
    if (text.charCodeAt(end) === DOLLAR)
      return this.#delimited(TOKEN.string, scanDollarQuoted(text, end + 1, text.slice(start, end + 1)))
    this.#token(end > start + 1 ? TOKEN.parameter : TOKEN.unknown, end)
  }

  #symbol(code: number, before: TokenKind): void {
    const { text, start } = this
    if (code === QUESTION) return this.#token(TOKEN.parameter, skipDigits(text, start + 1))
    // Any other dot was taken for what it is.
    if (code === DOT) return this.#token(TOKEN.number, scanNumber(text, start))
    if (!isOperator(code)) return this.#token(TOKEN.unknown, start + 1)
    const end = operatorEnd(text, start)
    if (code !== COLON || end > start + 1) return this.#token(TOKEN.operator, end)
    if (startsWord(text.charCodeAt(end)) && this.#mayPrecedeParameter(before))
      return this.#token(TOKEN.parameter, skipTag(text, end))
    this.#token(TOKEN.punctuation, end)
  }

  /** Keeps `{'a':b}`, `x[1:n]`, `x[:n]` and `lambda x:x` from looking like `:name` parameters. */
  #mayPrecedeParameter(before: TokenKind): boolean {
    if (this.start === 0) return true
    const last = this.text.charCodeAt(this.start - 1)
    if (before === TOKEN.punctuation) return last === OPENING || last === COMMA
    return before === TOKEN.whitespace || before === TOKEN.comment || before === TOKEN.operator
  }
}

// A comment begins even where an operator could continue: in `7//` before `*` the second slash opens it.
function operatorEnd(text: string, start: number): number {
  if (!isOperator(text.charCodeAt(start + 1))) return start + 1
  for (let length = LONGEST_OPERATOR; length > 1; length--) {
    const operator = text.slice(start, start + length)
    const end = start + operator.length
    if (LONG_OPERATORS.has(operator) && !text.startsWith('/*', end - 1)) return end
  }
  return start + 1
}
