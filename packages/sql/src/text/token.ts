/** What a token is, as a number: tokens are kept in typed arrays, of which a million take no objects. */
export const TOKEN = {
  word: 1,
  quotedIdentifier: 2,
  string: 3,
  number: 4,
  comment: 5,
  parameter: 6,
  operator: 7,
  punctuation: 8,
  whitespace: 9,
  unknown: 10,
} as const

export type TokenKind = (typeof TOKEN)[keyof typeof TOKEN]

/** UTF-16 offsets in the text, `end` exclusive. */
export interface Token {
  readonly kind: TokenKind
  readonly start: number
  readonly end: number
}
