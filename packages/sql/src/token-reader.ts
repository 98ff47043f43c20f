import { readQualifiedName } from './names.ts'
import { isUnterminated, keywordAt, kindAt, offsetOf, type Piece, textAt } from './piece.ts'
import { unquoteIdentifier, unquoteString } from './quoting.ts'
import { TOKEN } from './token.ts'

/** Walks over the tokens of one statement, from its first or a later one, without the semicolons that end it. */
export function openTokenReader(piece: Piece, from = piece.first) {
  let until = piece.until
  while (until > from && keywordAt(piece, until - 1) === ';') until--
  const statement = { ...piece, until }
  let at = from

  return {
    statement,
    skip: (count: number) => {
      at += count
    },
    left: () => until - at,
    peek: (ahead = 0) => keywordAt(statement, at + ahead),
    /** Where it stands in the text of the statement. */
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
      const kind = kindAt(statement, at)
      const text = textAt(statement, at)
      at++
      if (kind === TOKEN.word || kind === TOKEN.number) return text
      if (kind === TOKEN.quotedIdentifier) return unquoteIdentifier(text)
      return kind === TOKEN.string ? unquoteString(text) : null
    },

    string(): string | null {
      return kindAt(statement, at) === TOKEN.string ? this.value() : null
    },
  }
}

export type TokenReader = ReturnType<typeof openTokenReader>
