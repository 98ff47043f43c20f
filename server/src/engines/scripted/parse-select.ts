import { parseExpression } from './parse-expression.ts'
import type { Expression, Select, Source, TableName } from './statements.ts'
import type { TokenWalk } from './token-walk.ts'

/** The word SELECT has been taken. */
export function parseSelect(walk: TokenWalk): Select {
  const { offset } = walk.next
  const items = walk.skip('*') ? null : parseItems(walk)
  const from = walk.skip('FROM') ? parseSource(walk) : null
  const where = parseWhere(walk)
  const orderBy = walk.skip('ORDER', 'BY') ? parseOrder(walk) : null
  const limit = walk.skip('LIMIT') ? walk.number() : null
  return { items, from, where, orderBy, limit, offset }
}

export const parseWhere = (walk: TokenWalk): Expression | null =>
  walk.skip('WHERE') ? parseExpression(walk) : null

export function parseTableName(walk: TokenWalk): TableName {
  const { offset } = walk.next
  const parts = [walk.name()]
  while (walk.skip('.')) parts.push(walk.name())
  return { parts, offset }
}

function parseItems(walk: TokenWalk): Select['items'] {
  const items = []
  do {
    const { offset } = walk.next
    const expression = parseExpression(walk)
    const name = walk.writtenSince(offset)
    items.push({ expression, name: walk.skip('AS') ? walk.name() : unquoted(expression, name) })
  } while (walk.skip(','))
  return items
}

const unquoted = (expression: Expression, written: string): string =>
  expression.kind === 'column' ? expression.name : written

function parseSource(walk: TokenWalk): Source {
  if (!walk.skip('RANGE', '(')) return { kind: 'table', table: parseTableName(walk) }
  const count = BigInt(walk.number())
  walk.expect(')')
  return { kind: 'range', count, column: parseColumnAlias(walk) ?? 'range' }
}

/** As in `t(n)`. */
function parseColumnAlias(walk: TokenWalk): string | null {
  walk.skip('AS')
  const isAliased = walk.next.kind === 'word' && !['WHERE', 'ORDER', 'LIMIT'].includes(walk.next.text)
  if (!isAliased) return null
  walk.name()
  walk.expect('(')
  const column = walk.name()
  walk.expect(')')
  return column
}

function parseOrder(walk: TokenWalk): Select['orderBy'] {
  const { offset } = walk.next
  const column = walk.name()
  const descending = walk.skip('DESC')
  if (!descending) walk.skip('ASC')
  return { column, descending, offset }
}
