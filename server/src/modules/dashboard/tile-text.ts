import { createHash } from 'node:crypto'
import {
  bindParameters,
  DEFAULT_CATALOG,
  type FilterValues,
  type NewTile,
  type ParameterProblem,
  type Tile,
} from '@boathouse/contract'
import { analyse, namedParametersIn } from '@boathouse/sql'
import { AppError } from '../../kernel/app-error.ts'
import type { DashboardRow } from './store.ts'

/** What is run for a tile, with these values. */
export interface TileText {
  readonly digest: string
  readonly sql: string
  /** JSON; null: it has no parameters. */
  readonly bound_values: string | null
  readonly catalog: string
  readonly database_name: string | null
  readonly warehouse_id: string | null
}

const PROBLEMS: Readonly<Record<ParameterProblem, string>> = {
  missing: 'has no value',
  number: 'is not a number',
  date: 'is not a date',
  order: 'ends before it begins',
}

/** A tile shows the rows of one statement. Others may look at them, so that it only reads. */
export function requireTile({ kind, sql, title }: Pick<NewTile, 'kind' | 'sql' | 'title'>): void {
  if (kind === 'text') return
  const named = title === '' ? 'A tile' : `The tile ${title}`
  const { statements } = analyse(sql)
  const [only] = statements
  if (!only) throw new AppError('BadInput', `${named} has no statement. Write one that reads.`)
  if (statements.length > 1)
    throw new AppError('BadInput', `${named} has ${statements.length} statements. Keep one of them.`)
  if (only.class !== 'reads')
    throw new AppError(
      'BadInput',
      `${named} only reads, and ${only.kind.replaceAll('-', ' ').toUpperCase()} does not.`,
    )
}

/** It is the same tile, and its rows are of the same statement in the same place. */
export const runsTheSame = (one: Tile, other: Tile): boolean =>
  one.tileId === other.tileId &&
  one.sql === other.sql &&
  one.catalog === other.catalog &&
  one.database === other.database &&
  one.warehouseId === other.warehouseId

/** Throws when a value is missing or invalid. */
export function tileText(
  { sql, catalog, database, warehouseId }: Tile,
  { parameters, runs_as }: Pick<DashboardRow, 'parameters' | 'runs_as'>,
  values: FilterValues,
): TileText {
  const names = namedParametersIn(sql)
  const chosen = parameters.map((one) => ({ ...one, value: values[one.name] ?? one.value }))
  const bound = names.length === 0 ? null : bindParameters(names, chosen)
  if (bound && 'problem' in bound)
    throw new AppError('BadInput', `The filter ${bound.name} ${PROBLEMS[bound.problem]}.`)
  const text = {
    sql,
    bound_values: bound && JSON.stringify(bound.values),
    catalog: catalog || DEFAULT_CATALOG,
    database_name: database || null,
    warehouse_id: warehouseId,
  }
  return {
    ...text,
    digest: createHash('sha256')
      .update(JSON.stringify([runs_as, text]))
      .digest('hex'),
  }
}
