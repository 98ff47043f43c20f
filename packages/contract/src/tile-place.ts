import type { Tile } from './dashboard.ts'
import { LIMITS } from './limits.ts'

type Place = Pick<Tile, 'x' | 'y' | 'w' | 'h'>

/** In cells of the grid: a chart or a table takes half of its width, and a number needs little. */
const SIZES: Readonly<Record<Tile['kind'], Pick<Place, 'w' | 'h'>>> = {
  chart: { w: 6, h: 6 },
  table: { w: 6, h: 6 },
  number: { w: 3, h: 3 },
  text: { w: 6, h: 2 },
}

const overlaps = (one: Place, other: Place): boolean =>
  one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h

/** Where a new tile goes: beside the last one, if there is room, or below all. */
export function placeFor(tiles: readonly Place[], kind: Tile['kind']): Place {
  const size = SIZES[kind]
  const last = tiles.at(-1)
  if (last) {
    const beside = { ...size, x: last.x + last.w, y: last.y }
    const isRoom =
      beside.x + beside.w <= LIMITS.dashboardColumns && !tiles.some((tile) => overlaps(tile, beside))
    if (isRoom) return beside
  }
  return { ...size, x: 0, y: tiles.reduce((most, { y, h }) => Math.max(most, y + h), 0) }
}
