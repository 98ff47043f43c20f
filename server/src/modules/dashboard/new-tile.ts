import { randomUUID } from 'node:crypto'
import { LIMITS, type NewTile, type Parameter, parametersFor } from '@boathouse/contract'
import { placeFor } from '@boathouse/contract/tile-place'
import { namedParametersIn } from '@boathouse/sql'
import { AppError } from '../../kernel/app-error.ts'
import type { DashboardRow } from './store.ts'

/** The filters that there are, and those that a new tile needs beside. Choices that a query returns are not offered. */
function withParametersOf(
  known: readonly Parameter[],
  { sql }: NewTile,
  given: readonly Parameter[],
): Parameter[] {
  const needed = parametersFor(namedParametersIn(sql), given).map((one) => ({ ...one, optionsSql: '' }))
  return [...known, ...needed.filter(({ name }) => !known.some((one) => one.name === name))]
}

/** The content of a dashboard with one tile more. */
export function withTile(
  { tiles, parameters }: Pick<DashboardRow, 'tiles' | 'parameters'>,
  tile: NewTile,
  given: readonly Parameter[],
): Pick<DashboardRow, 'tiles' | 'parameters'> {
  if (tiles.length >= LIMITS.tilesPerDashboard)
    throw new AppError(
      'LimitReached',
      `A dashboard has at most ${LIMITS.tilesPerDashboard} tiles. Delete one of them.`,
    )
  const length = [...tiles, tile].reduce((sum, { sql, text }) => sum + sql.length + text.length, 0)
  if (length > LIMITS.dashboardLength)
    throw new AppError(
      'LimitReached',
      `The texts of a dashboard have at most ${LIMITS.dashboardLength} characters.`,
    )
  return {
    tiles: [...tiles, { ...tile, ...placeFor(tiles, tile.kind), tileId: randomUUID() }],
    parameters: withParametersOf(parameters, tile, given),
  }
}
