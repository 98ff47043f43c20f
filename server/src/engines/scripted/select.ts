import { AGGREGATES, type Compiled, compareValues, compile, type Scope } from './evaluate.ts'
import { refused } from './refused.ts'
import type { Expression, Select, Source, Type, Value } from './statements.ts'
import type { Row, Table } from './world.ts'

/** What a SELECT stands in. */
export interface SelectWorld {
  readonly user: string
  readonly roles: string
  readonly variables: Readonly<Record<string, string>>
  tableOf(source: Source & { kind: 'table' }): Table
  /** A view is looked at from where it was made. */
  within(table: Table): SelectWorld
  /** Waits for others now and then; throws when the statement is to end. */
  pause(): Promise<void>
}

export interface Selected {
  readonly columns: readonly { readonly name: string; readonly type: Type }[]
  /** In their order; nothing is read before it is asked for. */
  rows(): AsyncGenerator<Row>
}

const ROWS_AT_ONCE = 1024

export function runSelect(select: Select, world: SelectWorld): Selected {
  const source = openSource(select.from, world)
  const { user, roles, variables } = world
  const scope: Scope = { columns: source.columns, user, roles, variables }
  const where = select.where ? compile(select.where, scope).compute : null
  const items: Select['items'] = select.items ?? everyColumn(select, source)
  const aggregated = items?.some(({ expression }) => isAggregate(expression))
  const filtered = filter(source.rows, where)
  const shown = aggregated
    ? aggregate(items ?? [], scope, filtered)
    : project(items ?? [], scope, sorted(select, scope, filtered))
  return { columns: shown.columns, rows: () => limited(shown.rows(), select.limit) }
}

const isAggregate = (expression: Expression): boolean =>
  expression.kind === 'call' && AGGREGATES.has(expression.name)

function everyColumn({ offset, from }: Select, { columns }: Selected): NonNullable<Select['items']> {
  if (!from) throw refused('syntax', '* needs a table to take its columns from.', offset)
  return columns.map(({ name }) => ({ name, expression: { kind: 'column', name, offset } }))
}

function openSource(from: Source | null, world: SelectWorld): Selected {
  if (!from)
    return {
      columns: [],
      async *rows() {
        yield []
      },
    }
  if (from.kind === 'range') return rangeOf(from, world)
  const table = world.tableOf(from)
  if (table.view) return runSelect(table.view.select, world.within(table))
  return {
    columns: table.columns,
    async *rows() {
      for (const [at, row] of table.rows.entries()) {
        if (at % ROWS_AT_ONCE === 0) await world.pause()
        yield row
      }
    },
  }
}

const rangeOf = ({ count, column }: Source & { kind: 'range' }, world: SelectWorld): Selected => ({
  columns: [{ name: column, type: 'BIGINT' }],
  async *rows() {
    for (let at = 0n; at < count; at++) {
      if (at % BigInt(ROWS_AT_ONCE) === 0n) await world.pause()
      yield [at]
    }
  },
})

type Rows = () => AsyncGenerator<Row>

function filter(rows: Rows, where: Compiled['compute'] | null): Rows {
  if (!where) return rows
  return async function* () {
    for await (const row of rows()) if (where(row) === true) yield row
  }
}

function sorted({ orderBy }: Select, scope: Scope, rows: Rows): Rows {
  if (!orderBy) return rows
  const { compute } = compile({ kind: 'column', name: orderBy.column, offset: orderBy.offset }, scope)
  const direction = orderBy.descending ? -1 : 1
  return async function* () {
    const all: Row[] = []
    for await (const row of rows()) all.push(row)
    yield* all.sort((a, b) => compareValues(compute(a), compute(b)) * direction)
  }
}

function project(items: NonNullable<Select['items']>, scope: Scope, rows: Rows): Selected {
  const compiled = items.map(({ expression }) => compile(expression, scope))
  return {
    columns: items.map(({ name }, at) => ({ name, type: compiled[at]?.type ?? 'TEXT' })),
    async *rows() {
      for await (const row of rows()) yield compiled.map(({ compute }) => compute(row))
    },
  }
}

/** One row about all of them. */
function aggregate(items: NonNullable<Select['items']>, scope: Scope, rows: Rows): Selected {
  const parts = items.map(({ expression, name }) => {
    if (expression.kind !== 'call' || !isAggregate(expression))
      throw refused('syntax', `${name} is one value for each row, beside one for all of them.`)
    const [argument] = expression.args.map((arg) => compile(arg, scope))
    return { name, of: expression.name, argument }
  })
  return {
    columns: parts.map(({ name, of, argument }) => ({
      name,
      type: of === 'max' && argument ? argument.type : 'BIGINT',
    })),
    async *rows() {
      const totals: Value[] = parts.map(({ of }) => (of === 'count' ? 0n : null))
      for await (const row of rows())
        for (const [at, { of, argument }] of parts.entries()) {
          const value = argument ? argument.compute(row) : 1n
          if (value !== null) totals[at] = added(of, totals[at] ?? null, value)
        }
      yield totals
    },
  }
}

function added(of: string, total: Value, value: Value): Value {
  if (of === 'max') return total === null || compareValues(value, total) > 0 ? value : total
  const step = of === 'count' ? 1n : value
  if (typeof step !== 'bigint') throw refused('syntax', 'sum() takes numbers.')
  return (typeof total === 'bigint' ? total : 0n) + step
}

async function* limited(rows: AsyncGenerator<Row>, limit: number | null): AsyncGenerator<Row> {
  if (limit === null) return yield* rows
  let left = limit
  if (left === 0) return
  for await (const row of rows) {
    yield row
    if (--left === 0) return
  }
}
