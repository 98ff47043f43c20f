import { randomUUID } from 'node:crypto'
import { LIMITS, type NewTile, type Parameter, parametersFor, type Tile } from '@boathouse/contract'
import { namedParametersIn } from '@boathouse/sql'
import { AppError } from '../../kernel/app-error.ts'
import type { DashboardRow } from './store.ts'

/** Half of the width of the grid. */
const NEW_PLACE = { x: 0, w: 6, h: 6 }

/** Beside the last one, if there is room, or below all. */
function placeFor(tiles: readonly Tile[]): Pick<Tile, 'x' | 'y' | 'w' | 'h'> {
  const below = tiles.reduce((most, { y, h }) => Math.max(most, y + h), 0)
  const last = tiles.at(-1)
  const isRoomBeside =
    last !== undefined &&
    last.x + last.w + NEW_PLACE.w <= LIMITS.dashboardColumns &&
    tiles.every(({ x, y, w, h }) => x + w <= last.x + last.w || y + h <= last.y || y >= last.y + NEW_PLACE.h)
  return isRoomBeside ? { ...NEW_PLACE, x: last.x + last.w, y: last.y } : { ...NEW_PLACE, y: below }
}

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
    tiles: [...tiles, { ...tile, ...placeFor(tiles), tileId: randomUUID() }],
    parameters: withParametersOf(parameters, tile, given),
  }
}
