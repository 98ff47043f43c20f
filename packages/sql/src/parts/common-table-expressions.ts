import { isName, keywordAt, type Piece } from '../text/piece.ts'

/**
 * Steps over `WITH [RECURSIVE] name [(columns)] [USING KEY (columns)] AS [[NOT] MATERIALIZED] (...), ...`. Gives the
 * index of the token that follows; null when there is no such list.
 */
export function skipCommonTableExpressions(piece: Piece, at: number): number | null {
  const { partners } = piece.tokens
  const skip = (index: number, keyword: string) => (keywordAt(piece, index) === keyword ? index + 1 : index)
  const skipGroup = (index: number) => Math.max(index, (partners[index] ?? -1) + 1)

  let next = skip(skip(at, 'WITH'), 'RECURSIVE')
  for (;;) {
    if (!isName(piece, next)) return null
    const columns = skipGroup(next + 1)
    const as = skipGroup(skip(skip(columns, 'USING'), 'KEY'))
    if (keywordAt(piece, as) !== 'AS') return null
    const body = skip(skip(as + 1, 'NOT'), 'MATERIALIZED')
    if (keywordAt(piece, body) !== '(' || partners[body] === -1) return null
    next = skipGroup(body)
    if (keywordAt(piece, next) !== ',') return next
    next++
  }
}
