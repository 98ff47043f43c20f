import { randomUUID } from 'node:crypto'
import { cluster, CODES, diagnose, pkg, query, warehouse } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { startApp, type TestUser } from '../../testing/start-app.ts'

const newestOf = async (user: TestUser) => (await user.call(query.history, {})).data.entries[0]?.queryId ?? ''

test('a bundle about a statement has its plan and times, and none of its data', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const channel = await admin.channel()
  await channel.run("select 'top secret' as a, 4711 as b where 'top secret' <> 'x' -- top secret")
  const queryId = await newestOf(admin)
  const { data } = await admin.call(diagnose.statement, { queryId })
  expect(data.fileName).toBe(`boathouse-statement-${queryId}.json`)
  expect(data.bundle).toMatchObject({
    form: 'boathouse-diagnostics-1',
    about: 'statement',
    statement: { queryId, state: 'finished', sql: 'select … as a, … as b where … <> …' },
    warehouse: { name: 'default_warehouse' },
    cluster: { nodes: [{ role: 'single', state: 'running' }] },
  })
  const text = JSON.stringify(data.bundle)
  for (const hidden of ['secret', '4711', admin.name, '127.0.0.1']) expect(text).not.toContain(hidden)
})

test('a failed statement keeps what its message says, without what it quotes', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const channel = await admin.channel()
  await channel.run("select cast('top secret' as integer)")
  const { data } = await admin.call(diagnose.statement, { queryId: await newestOf(admin) })
  const { error } = data.bundle['statement'] as { error: string }
  expect(error).toMatch(/^Could not convert string …/)
})

test('nobody gets a bundle about what they may not see', async () => {
  const app = await startApp()
  const admin = await app.admin()
  await (await admin.channel()).run('select 1')
  const queryId = await newestOf(admin)
  const { warehouseId } = (await admin.call(warehouse.create, { name: 'oars' })).data
  const reader = await app.user([])
  const other = await (await app.otherAccount()).admin()
  for (const user of [reader, other]) {
    expect((await user.call(diagnose.statement, { queryId })).code).toBe(CODES.NotFound.code)
    expect((await user.call(diagnose.warehouse, { warehouseId })).code).toBe(CODES.NotFound.code)
    expect((await user.call(cluster.describe, { warehouseId })).code).toBe(CODES.NotFound.code)
  }
  expect((await admin.call(diagnose.statement, { queryId: randomUUID() })).code).toBe(CODES.NotFound.code)
})

test('a bundle about a warehouse has its activity, nodes and last statements', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const { warehouseId } = (await admin.call(warehouse.create, { name: 'oars' })).data
  const { warehouseId: beside } = (await admin.call(warehouse.create, { name: 'quay' })).data
  const described = (await admin.call(cluster.describe, { warehouseId })).data
  expect(described).toMatchObject({ warehouse: 'oars', status: 'Running', sharedWith: ['quay'] })
  expect(described.nodes).toMatchObject([{ role: 'single', state: 'running', cpuPercent: null }])
  const { bundle } = (await admin.call(diagnose.warehouse, { warehouseId })).data
  expect(bundle).toMatchObject({
    about: 'warehouse',
    warehouse: { name: 'oars', size: 'X-Small' },
    activity: [{ action: 'Create', result: 'Success' }],
    statements: [],
  })
  await admin.call(warehouse.suspend, { warehouseId })
  expect((await admin.call(cluster.describe, { warehouseId })).data.nodes).toEqual([])
  expect((await admin.call(cluster.describe, { warehouseId: beside })).data.sharedWith).toEqual([])
})

test('what runs here is listed with its versions', async () => {
  const app = await startApp()
  const { packages } = (await (await app.user([])).call(pkg.list, {})).data
  const kinds = packages.map(({ kind }) => kind)
  expect(new Set(kinds)).toEqual(
    new Set(['service', 'runtime', 'database', 'engine', 'extension', 'endpoint']),
  )
  expect(packages.find(({ kind }) => kind === 'database')?.version).toMatch(/^\d+\./)
  expect(packages.find(({ name }) => name === 'httpfs')).toMatchObject({ isReady: false })
})
