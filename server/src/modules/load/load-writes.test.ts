import { CODES, load, type Sent } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { inspected, over, rowsIn } from '../../testing/load-kit.ts'
import { startApp } from '../../testing/start-app.ts'

async function given() {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  await rowsIn(admin, 'CREATE TABLE main.ports (id INTEGER, name VARCHAR)')
  await rowsIn(admin, `INSERT INTO main.ports VALUES (1, 'Oslo'), (2, 'Cork')`)
  const ports = () => rowsIn(admin, 'SELECT id::VARCHAR, name FROM main.ports ORDER BY id')
  const orderOf = async (user: typeof admin, part: Partial<Sent<typeof load.create>>) => {
    const { order } = await inspected({ app, user }, 'id,name\n2,Cobh\n3,Rome\n')
    return { ...order, tableName: 'ports', makesTable: false, ...part }
  }
  return { app, admin, ports, orderOf }
}

test('rows are replaced or updated only by those who may delete, or update and read, them', async () => {
  const { app, admin, ports, orderOf } = await given()
  const user = await app.user([])
  await rowsIn(admin, `GRANT USAGE ON WAREHOUSE default_warehouse TO USER ${user.name}`)
  await rowsIn(admin, `GRANT INSERT ON TABLE main.ports TO USER ${user.name}`)
  const code = async (part: Partial<Sent<typeof load.create>>) =>
    (await user.call(load.create, await orderOf(user, part))).code
  expect(await code({ writes: 'replace' })).toBe(CODES.NoPermission.code)
  expect(await code({ writes: 'upsert', keys: ['id'] })).toBe(CODES.NoPermission.code)
  await rowsIn(admin, `GRANT UPDATE ON TABLE main.ports TO USER ${user.name}`)
  expect(await code({ writes: 'upsert', keys: ['id'] })).toBe(CODES.NoPermission.code)
  expect(await ports()).toEqual([
    ['1', 'Oslo'],
    ['2', 'Cork'],
  ])
  expect(await code({ writes: 'append' })).toBe(CODES.Ok.code)
})

test('rows are updated by their key and added, and then all replaced, as the history says', async () => {
  const { admin, ports, orderOf } = await given()
  const upsert = await orderOf(admin, { writes: 'upsert', keys: ['id'] })
  await admin.call(load.create, upsert)
  expect(await over(admin, upsert.taskId)).toMatchObject({
    state: 'finished',
    rowsLoaded: 2,
    writes: 'upsert',
    keys: ['id'],
  })
  expect(await ports()).toEqual([
    ['1', 'Oslo'],
    ['2', 'Cobh'],
    ['3', 'Rome'],
  ])
  const replace = await orderOf(admin, { writes: 'replace' })
  await admin.call(load.create, replace)
  expect(await over(admin, replace.taskId)).toMatchObject({ state: 'finished', rowsLoaded: 2 })
  expect(await ports()).toEqual([
    ['2', 'Cobh'],
    ['3', 'Rome'],
  ])
})

test('a key is needed for an upsert alone, gets values from the file, and a new table has no rows', async () => {
  const { admin, orderOf } = await given()
  const said = async (part: Partial<Sent<typeof load.create>>) => {
    const { code, message } = await admin.call(load.create, await orderOf(admin, part))
    return [code, message]
  }
  const bad = (words: string) => [CODES.BadInput.code, expect.stringContaining(words)]
  expect(await said({ writes: 'upsert' })).toEqual(bad('Choose at least one column'))
  expect(await said({ writes: 'upsert', keys: ['size'] })).toEqual(
    bad('No column of the file goes into size'),
  )
  expect(await said({ keys: ['id'] })).toEqual(bad('Only an upsert has a key'))
  expect(await said({ writes: 'replace', makesTable: true })).toEqual(bad('A new table has no rows'))
})
