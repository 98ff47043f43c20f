import { expect, test } from 'vitest'
import { bottomOf, changed, packed, type Placed, stepped } from './layout.ts'

const at = (tileId: string, x: number, y: number, w = 6, h = 4): Placed => ({ tileId, x, y, w, h })
const places = (tiles: readonly Placed[]) => tiles.map(({ tileId, x, y }) => `${tileId} ${x},${y}`)

const overlaps = (tiles: readonly Placed[]): boolean =>
  tiles.some((one, index) =>
    tiles
      .slice(index + 1)
      .some(
        (two) =>
          one.x < two.x + two.w && two.x < one.x + one.w && one.y < two.y + two.h && two.y < one.y + one.h,
      ),
  )

test('tiles float up as far as there is room', () => {
  expect(places(packed([at('a', 0, 9), at('b', 6, 2), at('c', 6, 20)]))).toEqual(['a 0,0', 'b 6,0', 'c 6,4'])
})

test('one that is moved onto another takes its place, and that one makes room', () => {
  const tiles = [at('a', 0, 0), at('b', 6, 0)]
  expect(places(changed(tiles, 'b', { x: 0, y: 0 }))).toEqual(['b 0,0', 'a 0,4'])
})

test('a step down passes the tile below, and a step up brings it back', () => {
  const tiles = [at('a', 0, 0), at('b', 0, 4)]
  const down = stepped(tiles, 'a', [0, 1])
  expect(places(down)).toEqual(['b 0,0', 'a 0,4'])
  expect(places(stepped(down, 'a', [0, -1]))).toEqual(['a 0,0', 'b 0,4'])
})

test('nothing leaves the grid, or becomes too small to look at', () => {
  const tiles = [at('a', 6, 0)]
  expect(places(stepped(tiles, 'a', [1, 0]))).toEqual(['a 6,0'])
  expect(changed(tiles, 'a', { w: 40, h: 900 })[0]).toMatchObject({ x: 6, w: 6, h: 24 })
  expect(changed(tiles, 'a', { w: 0, h: 0 })[0]).toMatchObject({ w: 2, h: 2 })
})

test('whatever is moved wherever, no two tiles overlap', () => {
  let seed = 7
  const random = (most: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % most
  let tiles: Placed[] = Array.from({ length: 12 }, (_, index) => at(`t${index}`, (index % 2) * 6, index * 4))
  for (let turn = 0; turn < 500; turn++) {
    const change = { x: random(12), y: random(30), w: 2 + random(10), h: 2 + random(8) }
    tiles = changed(tiles, `t${random(12)}`, change)
    expect(overlaps(tiles)).toBe(false)
    expect(tiles).toHaveLength(12)
  }
  expect(bottomOf(tiles)).toBeGreaterThan(0)
})
