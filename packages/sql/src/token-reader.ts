import { readQualifiedName } from './names.ts'
import { unquoteIdentifier, unquoteString } from './quoting.ts'
import type { SignificantToken } from './significant-tokens.ts'
import { significantTokens } from './significant-tokens.ts'

/** Walks over the significant tokens of one statement, without the semicolons that end it. */
export function openTokenReader(statementText: string) {
  const all = significantTokens(statementText)
  const count = all.findLastIndex((token) => token.keyword !== ';') + 1
  const tokens = all.slice(0, count)
  let at = 0
  const textOf = (token: SignificantToken) => statementText.slice(token.start, token.end)

  return {
    tokens,
    skip: (count: number) => {
      at += count
    },
    left: () => tokens.length - at,
    peek: (ahead = 0) => tokens[at + ahead]?.keyword,

    /** The keyword that is next if it is one of these, which is then behind us. */
    take(...keywords: string[]): string | null {
      const keyword = tokens[at]?.keyword
      if (!keyword || !keywords.includes(keyword)) return null
      at++
      return keyword
    },

    qualifiedName(): string[] | null {
      const name = readQualifiedName(statementText, tokens, at)
      if (name === null) return null
      at = name.next
      return name.parts
    },

    /** One word, number, identifier or string, for what it stands for; null at anything else. */
    value(): string | null {
      const token = tokens[at]
      if (token === undefined || token.unterminated) return null
      const text = textOf(token)
      at++
      if (token.kind === 'word' || token.kind === 'number') return text
      if (token.kind === 'quoted-identifier') return unquoteIdentifier(text)
      return token.kind === 'string' ? unquoteString(text) : null
    },

    string(): string | null {
      return tokens[at]?.kind === 'string' ? this.value() : null
    },
  }
}

export type TokenReader = ReturnType<typeof openTokenReader>
