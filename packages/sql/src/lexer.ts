import {
  continuesTag,
  continuesWord,
  isBlank,
  isDigit,
  isLineBreak,
  skipWhile,
  startsWord,
} from './characters.ts'
import type { Span } from './scan-delimited.ts'
import { scanBlockComment, scanDollarQuoted, scanEscapedString, scanQuoted } from './scan-delimited.ts'
import { scanNumber } from './scan-number.ts'
import type { Token, TokenKind } from './token.ts'

const PUNCTUATION = new Set('()[]{},;.')
const OPERATOR_CHARACTERS = new Set('+-*/%<>=!~&|^@#:')
const LONG_OPERATORS = new Set(
  '!~~* !~~ !~* ~~* ->> <=> :: := -> => <= >= <> != == || && << >> ** // ^@ @> <@ @@ ~~ ~* !~'.split(' '),
)
const LONGEST_OPERATOR = 4

/** Cuts any text into tokens that, put together, are the text again. Takes time linear in its length. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  // E'a' <line break> 'b\'' is one literal to the engine: the later parts keep the escapes of the first.
  let escapesUntil = -1
  let previous: Token | undefined
  for (let at = 0; at < text.length; at = previous.end) {
    const carried = escapesUntil !== -1 && text.charAt(at) === "'" && hasLineBreak(text, escapesUntil, at)
    const token = carried ? spanToken('string', at, scanEscapedString(text, at)) : next(text, at, previous)
    if (carried || opensEscapes(text, token)) escapesUntil = token.end
    else if (!isGap(text, token)) escapesUntil = -1
    tokens.push(token)
    previous = token
  }
  return tokens
}

const opensEscapes = (text: string, token: Token) =>
  token.kind === 'string' && 'eE'.includes(text.charAt(token.start))

const isGap = (text: string, token: Token) =>
  token.kind === 'whitespace' || (token.kind === 'comment' && text.charAt(token.start) === '-')

function hasLineBreak(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (isLineBreak(text.charCodeAt(at))) return true
  return false
}

function spanToken(kind: TokenKind, start: number, span: Span): Token {
  return span.closed ? { kind, start, end: span.end } : { kind, start, end: span.end, unterminated: true }
}

function next(text: string, start: number, previous: Token | undefined): Token {
  const code = text.charCodeAt(start)
  if (isBlank(code)) return { kind: 'whitespace', start, end: skipWhile(text, start, isBlank) }
  if (startsWord(code)) return wordOrEscapedString(text, start)
  if (isDigit(code)) return { kind: 'number', start, end: scanNumber(text, start) }
  return startsDelimited(text, start) ?? symbol(text, start, previous)
}

function wordOrEscapedString(text: string, start: number): Token {
  const isPrefix = 'eE'.includes(text.charAt(start)) && text.charAt(start + 1) === "'"
  if (isPrefix) return spanToken('string', start, scanEscapedString(text, start + 1))
  return { kind: 'word', start, end: skipWhile(text, start, continuesWord) }
}

function startsDelimited(text: string, start: number): Token | null {
  switch (text.charAt(start)) {
    case "'":
      return spanToken('string', start, scanQuoted(text, start))
    case '"':
    case '`':
      return spanToken('quoted-identifier', start, scanQuoted(text, start))
    case '$':
      return dollar(text, start)
    default:
      return comment(text, start)
  }
}

function comment(text: string, start: number): Token | null {
  if (text.startsWith('--', start))
    return { kind: 'comment', start, end: skipWhile(text, start, (code) => !isLineBreak(code)) }
  if (!text.startsWith('/*', start)) return null
  const token = spanToken('comment', start, scanBlockComment(text, start))
  return text.charAt(start + 2) === '+' ? { ...token, hint: true } : token
}

/** `$1` and `$name` are parameters, `$$` and `$tag$` open strings, a dollar alone is nothing. */
function dollar(text: string, start: number): Token {
  if (isDigit(text.charCodeAt(start + 1)))
    return { kind: 'parameter', start, end: skipWhile(text, start + 1, isDigit) }
  const end = skipWhile(text, start + 1, continuesTag)
  if (text.charAt(end) === '$')
    return spanToken('string', start, scanDollarQuoted(text, end + 1, text.slice(start, end + 1)))
  return { kind: end > start + 1 ? 'parameter' : 'unknown', start, end }
}

function symbol(text: string, start: number, previous: Token | undefined): Token {
  const character = text.charAt(start)
  if (character === '?') return { kind: 'parameter', start, end: skipWhile(text, start + 1, isDigit) }
  if (character === '.' && isDigit(text.charCodeAt(start + 1)))
    return { kind: 'number', start, end: scanNumber(text, start) }
  if (PUNCTUATION.has(character)) return { kind: 'punctuation', start, end: start + 1 }
  if (!OPERATOR_CHARACTERS.has(character)) return { kind: 'unknown', start, end: start + 1 }
  const end = operatorEnd(text, start)
  if (character !== ':' || end > start + 1) return { kind: 'operator', start, end }
  if (startsWord(text.charCodeAt(end)) && mayPrecedeParameter(text, previous))
    return { kind: 'parameter', start, end: skipWhile(text, end, continuesTag) }
  return { kind: 'punctuation', start, end }
}

// A comment begins even where an operator could go on: in `7//` before `*` the second slash opens it.
function operatorEnd(text: string, start: number): number {
  for (let length = LONGEST_OPERATOR; length > 1; length--) {
    const operator = text.slice(start, start + length)
    const end = start + operator.length
    if (LONG_OPERATORS.has(operator) && !text.startsWith('/*', end - 1)) return end
  }
  return start + 1
}

/** Keeps `{'a':b}`, `x[1:n]`, `x[:n]` and `lambda x:x` from looking like `:name` parameters. */
function mayPrecedeParameter(text: string, previous: Token | undefined): boolean {
  if (previous === undefined) return true
  if (previous.kind === 'punctuation') return '(,'.includes(text.charAt(previous.start))
  return previous.kind === 'whitespace' || previous.kind === 'comment' || previous.kind === 'operator'
}
