import { LIMITS } from '@boathouse/contract/limits'
import type { Tile } from '@boathouse/contract/dashboard'

export type Placed = Pick<Tile, 'tileId' | 'x' | 'y' | 'w' | 'h'>

const LEAST_WIDTH = 2
const LEAST_HEIGHT = 2

const overlap = (one: Placed, other: Placed): boolean =>
  one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h

const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value))

/** Reading order, which is also that of a narrow page. */
export const inOrder = <T extends Placed>(tiles: readonly T[]): T[] =>
  tiles.toSorted((one, other) => one.y - other.y || one.x - other.x)

/** No two tiles are at the same place, and none is lower than it must be. Of two in one row, `first` has its place. */
export function packed<T extends Placed>(tiles: readonly T[], first?: string): T[] {
  const rank = ({ tileId }: T) => (tileId === first ? 0 : 1)
  const order = tiles.toSorted((one, other) => one.y - other.y || rank(one) - rank(other) || one.x - other.x)
  const placed: T[] = []
  for (const tile of order) {
    const isFree = (y: number) => !placed.some((other) => overlap({ ...tile, y }, other))
    let { y } = tile
    while (!isFree(y)) y++
    while (y > 0 && isFree(y - 1)) y--
    placed.push({ ...tile, y })
  }
  return inOrder(placed)
}

/** On the grid, and as large as can be looked at. */
function fitted<T extends Placed>(tile: T): T {
  const w = within(tile.w, LEAST_WIDTH, LIMITS.dashboardColumns)
  const h = within(tile.h, LEAST_HEIGHT, LIMITS.tileHeight)
  const x = within(tile.x, 0, LIMITS.dashboardColumns - w)
  const y = within(tile.y, 0, LIMITS.dashboardRows - h)
  return { ...tile, x, y, w, h }
}

/** The tile at another place or of another size; others make room. */
export function changed<T extends Placed>(tiles: readonly T[], tileId: string, change: Partial<Placed>): T[] {
  const own = tiles.find((tile) => tile.tileId === tileId)
  if (!own) return [...tiles]
  const next = { ...own, ...change }
  // A tile that is made wider than there is room stays where it begins.
  if (change.w !== undefined) next.w = Math.min(next.w, LIMITS.dashboardColumns - own.x)
  const moved = fitted(next)
  return packed(
    tiles.map((tile) => (tile.tileId === tileId ? moved : tile)),
    tileId,
  )
}

/** One step to a side. Up and down it passes the next tile: less would have no effect. */
export function stepped<T extends Placed>(
  tiles: readonly T[],
  tileId: string,
  [dx, dy]: readonly [number, number],
): T[] {
  const own = tiles.find((tile) => tile.tileId === tileId)
  if (!own) return [...tiles]
  for (let far = 1; far <= LIMITS.tileHeight + 1; far++) {
    const next = changed(tiles, tileId, { x: own.x + dx * far, y: own.y + dy * far })
    const there = next.find((tile) => tile.tileId === tileId)
    if (there && (there.x !== own.x || there.y !== own.y)) return next
  }
  return [...tiles]
}

/** The row below all tiles. */
export const bottomOf = (tiles: readonly Placed[]): number =>
  tiles.reduce((most, { y, h }) => Math.max(most, y + h), 0)
