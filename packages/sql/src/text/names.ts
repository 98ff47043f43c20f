import { isName, isUnterminated, keywordAt, kindAt, offsetOf, type Piece, stringAt, textAt } from './piece.ts'
import { unquoteIdentifier } from './quoting.ts'
import { TOKEN } from './token.ts'

/** Reads `a`, `a.b` or `a.b.c` at a token; null when there is no name or it ends in a dot. */
export function readQualifiedName(piece: Piece, at: number): { parts: string[]; next: number } | null {
  const parts: string[] = []
  for (let next = at; ; next += 2) {
    if (!isName(piece, next)) return null
    parts.push(unquoteIdentifier(textAt(piece, next)))
    if (keywordAt(piece, next + 1) !== '.') return { parts, next: next + 1 }
  }
}

export interface Mention {
  readonly name: string
  /** In the text of the statement. */
  readonly offset: number
}

const OPENING = 0x28

/** Behind these comes a table with its columns, as in INSERT INTO t (a). */
const BEFORE_COLUMNS = new Set(['TABLE', 'VIEW', 'INTO', 'EXISTS', 'REFERENCES'])

/** The first name in a statement, of a table, a column, a function or anything else, that somebody looks for. */
export function findMention(
  piece: Piece,
  isSought: (name: string, isCalled: boolean) => boolean,
): Mention | null {
  const { text, start, tokens, first, until } = piece
  const { kinds, starts } = tokens
  for (let at = first; at < until; at++) {
    const kind = kinds[at]
    if (kind !== TOKEN.word && kind !== TOKEN.quotedIdentifier) continue
    const isOpened = at + 1 < until && text.charCodeAt((starts[at + 1] ?? 0) - start) === OPENING
    const isCalled = isOpened && !(at > first && BEFORE_COLUMNS.has(keywordAt(piece, at - 1)))
    const name = unquoteIdentifier(textAt(piece, at))
    if (isSought(name, isCalled)) return { name, offset: offsetOf(piece, at) }
  }
  return null
}

/** The first `outer.inner` in a statement that somebody looks for. */
export function findQualified(
  piece: Piece,
  isSought: (outer: string, inner: string) => boolean,
): { readonly outer: string; readonly inner: string; readonly offset: number } | null {
  for (let at = piece.first; at + 2 < piece.until; at++) {
    if (keywordAt(piece, at + 1) !== '.' || !isName(piece, at) || !isName(piece, at + 2)) continue
    const [outer, inner] = [at, at + 2].map((one) => unquoteIdentifier(textAt(piece, one)))
    if (outer !== undefined && inner !== undefined && isSought(outer, inner))
      return { outer, inner, offset: offsetOf(piece, at) }
  }
  return null
}

export interface WrittenName {
  /** Outermost first. */
  readonly parts: readonly string[]
  /** Where it begins in the text of the statement. */
  readonly offset: number
  /** An opening parenthesis follows. */
  readonly isCalled: boolean
}

/** Everything in a statement that may name something, words of the language and texts included. */
export function* namesIn(piece: Piece): Generator<WrittenName> {
  let at = piece.first
  while (at < piece.until) {
    const isText = kindAt(piece, at) === TOKEN.string && !isUnterminated(piece, at)
    if (isText) yield { parts: [stringAt(piece, at)], offset: offsetOf(piece, at), isCalled: false }
    if (!isName(piece, at)) {
      at++
      continue
    }
    const offset = offsetOf(piece, at)
    const parts = [unquoteIdentifier(textAt(piece, at))]
    while (keywordAt(piece, at + 1) === '.' && isName(piece, at + 2)) {
      at += 2
      parts.push(unquoteIdentifier(textAt(piece, at)))
    }
    at++
    yield { parts, offset, isCalled: keywordAt(piece, at) === '(' }
  }
}

/** Whether a text comes right behind another: on lines of their own the two are one, whatever it then says. */
export function hasSplitText(piece: Piece): boolean {
  for (let at = piece.first + 1; at < piece.until; at++)
    if (kindAt(piece, at) === TOKEN.string && kindAt(piece, at - 1) === TOKEN.string) return true
  return false
}
