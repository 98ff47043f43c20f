import type { Piece } from '../text/piece.ts'
import { openTokenReader, type TokenReader } from '../text/token-reader.ts'

export interface ShowLoad {
  /** The database, with its catalog before it where that is named; empty: the one that is selected. */
  readonly from: readonly string[]
  /** Exactly this one. */
  readonly label?: string
  /** A pattern with % and _, over labels. */
  readonly like?: string
  readonly state?: string
  readonly order: readonly { readonly column: string; readonly isDescending: boolean }[]
  readonly limit: number | null
}

export interface CancelLoad {
  readonly from: readonly string[]
  readonly label: string
}

type Conditions = Partial<Record<'label' | 'like' | 'state', string>>

/**
 * SHOW LOAD [FROM [catalog.]database] [LIKE 'pattern' | WHERE [LABEL = 'label' | LABEL LIKE 'pattern'] [AND] [STATE = 'state']]
 * [ORDER BY column [ASC|DESC], …] [LIMIT n]
 */
export function readShowLoad(statement: Piece): ShowLoad | null {
  const reader = openTokenReader(statement)
  if (!reader.takeAll('SHOW', 'LOAD')) return null
  const from = takeDatabase(reader)
  const conditions = from && takeConditions(reader)
  const order = conditions && takeOrder(reader)
  if (!from || !order) return null
  const limit = reader.take('LIMIT') ? takeCount(reader) : null
  const isRead = reader.left() === 0 && limit !== undefined
  return isRead ? { from, ...conditions, order, limit } : null
}

/** CANCEL LOAD [FROM [catalog.]database] WHERE LABEL = 'label' */
export function readCancelLoad(statement: Piece): CancelLoad | null {
  const reader = openTokenReader(statement)
  if (!reader.takeAll('CANCEL', 'LOAD')) return null
  const from = takeDatabase(reader)
  if (!from || !reader.takeAll('WHERE', 'LABEL', '=')) return null
  const label = reader.string()
  return label !== null && reader.left() === 0 ? { from, label } : null
}

function takeDatabase(reader: TokenReader): readonly string[] | null {
  if (!reader.take('FROM', 'IN')) return []
  const name = reader.qualifiedName()
  return name && name.length <= 2 ? name : null
}

function takeConditions(reader: TokenReader): Conditions | null {
  if (reader.take('LIKE')) {
    const like = reader.string()
    return like === null ? null : { like }
  }
  const conditions: Conditions = {}
  if (!reader.take('WHERE')) return conditions
  do {
    const key = takeCondition(reader)
    const value = key && !(key in conditions) ? reader.string() : null
    if (!key || value === null) return null
    conditions[key] = value
  } while (reader.take('AND'))
  return conditions
}

function takeCondition(reader: TokenReader): keyof Conditions | null {
  if (reader.takeAll('LABEL', '=')) return 'label'
  if (reader.takeAll('LABEL', 'LIKE')) return 'like'
  return reader.takeAll('STATE', '=') ? 'state' : null
}

function takeOrder(reader: TokenReader): ShowLoad['order'] | null {
  const order: { column: string; isDescending: boolean }[] = []
  if (!reader.takeAll('ORDER', 'BY')) return order
  do {
    const column = reader.value()
    if (column === null) return null
    order.push({ column, isDescending: reader.take('ASC', 'DESC') === 'DESC' })
  } while (reader.take(','))
  return order
}

function takeCount(reader: TokenReader): number | undefined {
  const text = reader.value()
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
