import { isName } from './names.ts'
import { unquoteIdentifier } from './quoting.ts'
import type { SignificantToken } from './significant-tokens.ts'

/** A statement's tokens, as `matchParentheses` has paired them. */
export interface PairedTokens {
  text: string
  tokens: readonly SignificantToken[]
  partners: Int32Array
}

export interface CommonTableExpressions {
  names: string[]
  /** The index of the token that follows the list. */
  next: number
}

/** Reads `WITH [RECURSIVE] name [(columns)] [USING KEY (columns)] AS [[NOT] MATERIALIZED] (...), ...`. */
export function readCommonTableExpressions(paired: PairedTokens, at: number): CommonTableExpressions | null {
  const { text, tokens, partners } = paired
  const keywordAt = (index: number) => tokens[index]?.keyword
  const skip = (index: number, keyword: string) => (keywordAt(index) === keyword ? index + 1 : index)
  const skipGroup = (index: number) => Math.max(index, (partners[index] ?? -1) + 1)

  const names: string[] = []
  let next = skip(skip(at, 'WITH'), 'RECURSIVE')
  for (;;) {
    const name = tokens[next]
    if (!isName(name)) return null
    names.push(unquoteIdentifier(text.slice(name.start, name.end)))
    const columns = skipGroup(next + 1)
    const as = skipGroup(skip(skip(columns, 'USING'), 'KEY'))
    if (keywordAt(as) !== 'AS') return null
    const body = skip(skip(as + 1, 'NOT'), 'MATERIALIZED')
    if (keywordAt(body) !== '(' || partners[body] === -1) return null
    next = skipGroup(body)
    if (keywordAt(next) !== ',') return { names, next }
    next++
  }
}
