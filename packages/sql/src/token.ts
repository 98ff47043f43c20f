export type TokenKind =
  | 'word'
  | 'quoted-identifier'
  | 'string'
  | 'number'
  | 'comment'
  | 'parameter'
  | 'operator'
  | 'punctuation'
  | 'whitespace'
  | 'unknown'

/** A piece of SQL text; `start` and `end` are UTF-16 offsets, `end` exclusive. */
export interface Token {
  kind: TokenKind
  start: number
  end: number
  /** A string, comment or quoted identifier that the text ends inside of. */
  unterminated?: true
  /** The comment is an optimizer hint. */
  hint?: true
}
