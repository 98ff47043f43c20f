import { quotedIdentifier } from '@duckdb/node-api'
import type { StreamPart } from '../../../engine/files.ts'
import { foldedName } from '../../../../kernel/same-name.ts'
import { refuse } from '../file-head.ts'
import type { TargetColumn } from '../target-table.ts'

/** A value of each row of the data. */
export interface SourceColumn {
  readonly name: string
  /** Of the column of the table that has its name; otherwise text. */
  readonly type: string
}

/** A column of the table, and what goes into it. */
export interface MappedColumn extends TargetColumn {
  /** Of the sources; null: it is computed. */
  readonly source: number | null
  /** As SQL over the sources. */
  readonly value: string
  /** Two calls of it differ: DuckDB does not try such an expression, so where it fails, the load does. */
  readonly isVolatile: boolean
}

export interface Mapping {
  readonly sources: readonly SourceColumn[]
  readonly targets: readonly MappedColumn[]
}

/** Names in the data that are left out are marked so: others are taken for mistakes. */
const isLeftOut = (name: string): boolean => name.startsWith('_')

const TEXT = 'VARCHAR'

/** Which value goes into which column of the table; `rendered` puts an expression into the engine's words. */
export function mappingOf(
  { columns, where }: Pick<StreamPart, 'columns' | 'where'>,
  table: readonly TargetColumn[],
  rendered: (expression: string) => string,
): Mapping {
  const named = new Map(table.map((column) => [foldedName(column.name), column]))
  const given = columns ?? table.map(({ name }) => ({ name, expression: null }))
  refuseTwice(given.map(({ name }) => foldedName(name)))
  const used = [...given.map(({ expression }) => expression ?? ''), where ?? ''].join('\n').toLowerCase()
  const sources: SourceColumn[] = []
  const targets: MappedColumn[] = []
  for (const { name, expression } of given) {
    const target = named.get(foldedName(name))
    if (expression !== null) {
      if (!target)
        throw refuse(`columns: The table has no column ${name}, so nothing can be computed for it.`)
      targets.push({ ...target, source: null, value: `(${rendered(expression)}\n)`, isVolatile: false })
      continue
    }
    if (!target && !isLeftOut(name) && !used.includes(name.toLowerCase()))
      throw refuse(
        `columns: The table has no column ${name}. To leave a value out, give it a name that begins with _.`,
      )
    if (target)
      targets.push({ ...target, source: sources.length, value: quotedIdentifier(name), isVolatile: false })
    sources.push({ name, type: target?.type ?? TEXT })
  }
  if (targets.length === 0) throw refuse('columns: None of them is a column of the table.')
  if (sources.length === 0)
    throw refuse('columns: All of them are computed. Name a value of the data too, such as _first.')
  return { sources, targets }
}

function refuseTwice(names: readonly string[]): void {
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw refuse(`columns: ${twice} is named twice.`)
}
