import { afterAll, expect, test } from 'vitest'
import { asFound, inspect, load, upload } from '../../conformance/files.ts'
import { cells, openSession, ownEngine, rowsOf, testSpace } from '../../conformance/fixture.ts'
import type { LoadOrder } from '../../engine/files.ts'
import { createInProcessDuckdb } from '../in-process.ts'

const provider = createInProcessDuckdb()
afterAll(() => provider.close())

async function opened() {
  const space = await testSpace()
  const engine = await ownEngine({ provider, kill: () => undefined }, space)
  const session = await openSession(engine)
  await rowsOf(session, 'CREATE TABLE ports (id INTEGER PRIMARY KEY, name VARCHAR, berths INTEGER DEFAULT 7)')
  await rowsOf(session, `INSERT INTO ports VALUES (1, 'Oslo', 3), (2, 'Cork', 4)`)
  async function loaded(content: string, writes: LoadOrder['writes']) {
    const file = await upload(space.directory, content)
    const found = asFound(await inspect(session, file))
    return load(session, { ...found, file, table: 'ports', makesTable: false, ...(writes && { writes }) })
  }
  return { space, session, loaded, ports: () => cells(session, 'SELECT * FROM ports ORDER BY id') }
}

test('rows with the same key take the place of those that are there, the last of the file, and others are added', async () => {
  const { session, loaded, ports } = await opened()
  const writes = { mode: 'upsert', keys: ['ID'] } as const
  const outcome = await loaded('id,name\n2,Cobh\n3,Rome\n3,Roma\n', writes)
  expect(outcome).toMatchObject({ state: 'finished', result: { rowsChanged: 2 } })
  expect(await ports()).toEqual([
    ['1', 'Oslo', '3'],
    ['2', 'Cobh', '4'],
    ['3', 'Roma', '7'],
  ])
  // Sent again, nothing is doubled.
  await loaded('id,name\n2,Cobh\n3,Rome\n3,Roma\n', writes)
  expect(await cells(session, 'SELECT count(*) FROM ports')).toEqual([['3']])
})

test('a key that is NULL or has no column is refused, and nothing is loaded', async () => {
  const { loaded, ports } = await opened()
  const before = await ports()
  expect(await loaded('id,name\n2,Cobh\n,Rome\n', { mode: 'upsert', keys: ['id'] })).toMatchObject({
    state: 'failed',
    error: { message: expect.stringContaining('The key is NULL in 1 rows') },
  })
  expect(await loaded('id,name\n2,Cobh\n', { mode: 'upsert', keys: ['berths'] })).toMatchObject({
    state: 'failed',
    error: { message: expect.stringContaining('The key column berths gets no values') },
  })
  expect(await ports()).toEqual(before)
})

test('all rows are replaced, or none when the file cannot be read', async () => {
  const { loaded, ports } = await opened()
  const before = await ports()
  expect(await loaded('id,name\n1,Bergen\nx,Rome\n', { mode: 'replace' })).toMatchObject({ state: 'failed' })
  expect(await ports()).toEqual(before)
  expect(await loaded('id,name\n1,Bergen\n', { mode: 'replace' })).toMatchObject({ state: 'finished' })
  expect(await ports()).toEqual([['1', 'Bergen', '7']])
})

test('each row of the file counts once, also in a table without a key of its own', async () => {
  const { space, session } = await opened()
  await rowsOf(
    session,
    `CREATE TABLE quays AS SELECT * FROM (VALUES (2, 'a'), (2, 'b'), (3, 'c')) t(id, name)`,
  )
  const file = await upload(space.directory, 'id,name\n2,B\n9,new\n')
  const found = asFound(await inspect(session, file))
  const writes = { mode: 'upsert', keys: ['id'] } as const
  expect(await load(session, { ...found, file, table: 'quays', makesTable: false, writes })).toMatchObject({
    state: 'finished',
    result: { rowsChanged: 2 },
  })
  expect(await cells(session, 'SELECT * FROM quays ORDER BY ALL')).toEqual([
    ['2', 'B'],
    ['2', 'B'],
    ['3', 'c'],
    ['9', 'new'],
  ])
})
