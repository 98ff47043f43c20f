import { readQualifiedName } from './names.ts'
import { isUnterminated, keywordAt, kindAt, offsetOf, type Piece, stringAt, textAt } from './piece.ts'
import { unquoteIdentifier } from './quoting.ts'
import { TOKEN } from './token.ts'

/** How far each statement was read, to say from where on it is not understood. */
const lastReaders = new WeakMap<Piece, { offset(): number; at(): number; readonly statement: Piece }>()

/** Where the last reader of this statement stood when it gave up; null when nobody has read it. */
export function placeOfUnread(statement: Piece): { offset: number; word: string } | null {
  const reader = lastReaders.get(statement)
  if (!reader) return null
  const at = reader.at()
  return { offset: reader.offset(), word: at < reader.statement.until ? textAt(reader.statement, at) : '' }
}

/** Walks over the tokens of one statement, from its first or a later one, without the semicolons that end it. */
export function openTokenReader(piece: Piece, from = piece.first) {
  let until = piece.until
  while (until > from && keywordAt(piece, until - 1) === ';') until--
  const statement = { ...piece, until }
  let at = from

  const reader = {
    statement,
    skip: (count: number) => {
      at += count
    },
    left: () => until - at,
    /** The index of the token that is next. */
    at: () => at,
    /** Steps behind the parenthesis that closes the one that is next; to the end where none does. */
    skipParentheses: () => {
      const partner = statement.tokens.partners[at] ?? -1
      at = partner < 0 ? until : Math.min(until, partner + 1)
    },
    peek: (ahead = 0) => keywordAt(statement, at + ahead),
    /** The place of the next token in the text of the statement. */
    offset: () => offsetOf(statement, at),

    /** The keyword that is next if it is one of these, which is then behind us. */
    take(...keywords: string[]): string | null {
      const keyword = keywordAt(statement, at)
      if (!keyword || !keywords.includes(keyword)) return null
      at++
      return keyword
    },

    /** Steps over all of these, or none. */
    takeAll(...keywords: string[]): boolean {
      const fits = keywords.every((keyword, ahead) => keywordAt(statement, at + ahead) === keyword)
      if (fits) at += keywords.length
      return fits
    },

    qualifiedName(): string[] | null {
      const name = readQualifiedName(statement, at)
      if (name === null) return null
      at = name.next
      return name.parts
    },

    /** One word, number, identifier or string, for what it stands for; null at anything else. */
    value(): string | null {
      if (at >= until || isUnterminated(statement, at)) return null
      const value = valueAt(statement, at)
      if (value !== null) at++
      return value
    },

    string(): string | null {
      return kindAt(statement, at) === TOKEN.string ? reader.value() : null
    },
  }
  lastReaders.set(piece, reader)
  return reader
}

function valueAt(piece: Piece, at: number): string | null {
  switch (kindAt(piece, at)) {
    case TOKEN.word:
    case TOKEN.number:
      return textAt(piece, at)
    case TOKEN.quotedIdentifier:
      return unquoteIdentifier(textAt(piece, at))
    case TOKEN.string:
      return stringAt(piece, at)
    default:
      return null
  }
}

export type TokenReader = ReturnType<typeof openTokenReader>
