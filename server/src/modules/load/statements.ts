import { readCancelLoad, readShowLoad, type ShowLoad, type StatementKind } from '@boathouse/sql'
import { type SystemColumnType, SYSTEM_TABLES } from '../../engines/engine/system-tables.ts'
import { AppError } from '../../kernel/app-error.ts'
import { placeNamed } from '../query/sessions/named-place.ts'
import { NO_ROWS, numbers, ownRows } from '../query/sessions/own-rows.ts'
import type { Answer } from '../query/sessions/session-tools.ts'
import { readableIn } from '../query/sessions/unreadable.ts'
import type { Load, LoadList } from './load-list.ts'

const FORMS = {
  show: "SHOW LOAD [FROM [catalog.]database] [LIKE 'pattern' | WHERE LABEL = 'label' | LABEL LIKE 'pattern' [AND STATE = 'state']] [ORDER BY column [DESC], …] [LIMIT n]",
  cancel: "CANCEL LOAD [FROM [catalog.]database] WHERE LABEL = 'label'",
} as const

const readable = readableIn(FORMS)

type LoadColumn = keyof Load

const COLUMNS = Object.entries(SYSTEM_TABLES.loads) as [LoadColumn, SystemColumnType][]
const HEAD = COLUMNS.map(([name, type]) =>
  type === 'integer' ? numbers(name.toUpperCase()) : name.toUpperCase(),
)

const rowOf = (load: Load): (string | null)[] =>
  COLUMNS.map(([name, type]) => {
    const value = load[name]
    if (value === null) return null
    return type === 'instant' ? String(value).slice(0, 19).replace('T', ' ') : String(value)
  })

function columnNamed(written: string): LoadColumn {
  const found = COLUMNS.find(([name]) => name === written.toLowerCase())
  if (found) return found[0]
  const names = COLUMNS.map(([name]) => name.toUpperCase())
  throw new AppError('QueryFailed', `There is no column ${written} here: it shows ${names.join(', ')}.`)
}

/** NULL comes first, as in MySQL. */
function compare(one: Load[LoadColumn], other: Load[LoadColumn]): number {
  if (one === other) return 0
  if (one === null || other === null) return one === null ? -1 : 1
  return one < other ? -1 : 1
}

function sorted(loads: readonly Load[], order: ShowLoad['order']): Load[] {
  const by = order.map(({ column, isDescending }) => ({
    column: columnNamed(column),
    sign: isDescending ? -1 : 1,
  }))
  return loads.toSorted((one, other) => {
    for (const { column, sign } of by) {
      const difference = compare(one[column], other[column])
      if (difference !== 0) return sign * difference
    }
    return 0
  })
}

/** Of a statement, what is not there or over is a fault of its text. */
const asStatement = (error: unknown): never => {
  const isOfText = error instanceof AppError && (error.code === 'NotFound' || error.code === 'Conflict')
  throw isOfText ? new AppError('QueryFailed', error.message) : error
}

/** SHOW LOAD and CANCEL LOAD. */
export function loadStatements(loads: () => LoadList): Partial<Record<StatementKind, Answer>> {
  return {
    'show-load': async (statement, tools) => {
      const { from, label, like, state, order, limit } = readable(readShowLoad(statement), 'show')
      const place = await placeNamed(from, tools)
      // What is sorted is cut off afterwards.
      const most = order.length > 0 ? null : limit
      const found = await loads().list(tools.actor, { place, label, like, state, limit: most })
      const shown = sorted(found, order).slice(0, limit ?? undefined)
      return { result: ownRows(HEAD, shown.map(rowOf)) }
    },
    'cancel-load': async (statement, tools) => {
      const { from, label } = readable(readCancelLoad(statement), 'cancel')
      await loads()
        .cancel(tools.actor, await placeNamed(from, tools), label)
        .catch(asStatement)
      return { result: NO_ROWS }
    },
  }
}
