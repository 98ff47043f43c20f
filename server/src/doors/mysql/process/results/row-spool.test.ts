import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { batchParts } from '../../../../engines/engine/batch-bytes.ts'
import { batchOf } from '../testing/scripted-server.ts'
import { RowSpool, SpoolFull } from './row-spool.ts'
import { SpoolSpace } from './spool-space.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'row-spool-'))
})
afterAll(() => rm(folder, { recursive: true }))

const batch = batchOf([['x'.repeat(88)]])
const BYTES = batchParts(batch).reduce((bytes, part) => bytes + part.byteLength, 0)
const spoolIn = (space: SpoolSpace) => new RowSpool([], { folder, space, convert: (rows) => rows })

async function rowsOf(spool: RowSpool): Promise<number> {
  let rows = 0
  for (let current = await spool.current(); current; current = await spool.current()) {
    rows += current.batch.rows
    current.row = current.batch.rows
  }
  return rows
}

it('keeps rows of many cursors in files where they have no memory left', async () => {
  const space = new SpoolSpace({ memory: BYTES, file: 10 * BYTES })
  const [first, second] = [spoolIn(space), spoolIn(space)]
  await first.add(batch, BYTES)
  await second.add(batch, BYTES)
  expect(space.take('memory', 1)).toBe(false)
  expect(space.take('file', 9 * BYTES + 1)).toBe(false)
  expect(await rowsOf(first)).toBe(1)
  expect(await rowsOf(second)).toBe(1)
  expect(await readdir(folder)).toEqual([])
  first.close()
  second.close()
})

it('refuses what all cursors of a connection hold beyond its part, and leaves the rest to others', async () => {
  const whole = new SpoolSpace({ memory: 0, file: 4 * BYTES })
  const [one, other] = [whole.forConnection({ memory: 0, file: 2 * BYTES }), whole.forConnection()]
  const [first, second, third] = [spoolIn(one), spoolIn(one), spoolIn(one)]
  await first.add(batch, BYTES)
  await second.add(batch, BYTES)
  await expect(third.add(batch, BYTES)).rejects.toBeInstanceOf(SpoolFull)
  expect(other.take('file', 3 * BYTES)).toBe(false)
  expect(other.take('file', 2 * BYTES)).toBe(true)
  first.close()
  first.close()
  await third.add(batch, BYTES)
  second.close()
  third.close()
  expect(whole.take('file', 2 * BYTES)).toBe(true)
})
