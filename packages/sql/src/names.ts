import { unquoteIdentifier } from './quoting.ts'
import type { SignificantToken } from './significant-tokens.ts'

/** A name, perhaps with others before it and dots between, from `start` to `end` in the text. */
export interface QualifiedName {
  parts: string[]
  start: number
  end: number
  /** The index of the token that follows. */
  next: number
}

export const isName = (token: SignificantToken | undefined): token is SignificantToken =>
  token !== undefined &&
  (token.kind === 'word' || (token.kind === 'quoted-identifier' && !token.unterminated))

/** Reads `a`, `a.b` or `a.b.c` at a token; null when there is no name or it ends in a dot. */
export function readQualifiedName(
  text: string,
  tokens: readonly SignificantToken[],
  at: number,
): QualifiedName | null {
  const parts: string[] = []
  const start = tokens[at]?.start ?? 0
  for (let next = at; ; next += 2) {
    const token = tokens[next]
    if (!isName(token)) return null
    parts.push(unquoteIdentifier(text.slice(token.start, token.end)))
    if (tokens[next + 1]?.keyword !== '.') return { parts, start, end: token.end, next: next + 1 }
  }
}
