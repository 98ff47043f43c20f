import { CODES, objectOf, perms, warehouse } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { startApp } from '../../testing/start-app.ts'

test('the use of a warehouse is granted to a user, who may then use it, and the page shows to whom [WH-23]', async () => {
  const app = await startApp()
  const [admin, rower] = [await app.admin(), await app.user()]
  const { warehouseId } = (await admin.call(warehouse.create, { name: 'oars' })).data
  const object = objectOf('warehouse', { name: 'oars' })
  expect((await rower.call(warehouse.describe, { warehouseId })).code).toBe(CODES.NotFound.code)
  expect(
    (await admin.call(perms.grantPrivToUser, { user: rower.name, object, privileges: ['USAGE'] })).code,
  ).toBe(CODES.Ok.code)
  const { grants } = (await admin.call(warehouse.grants, { warehouseId })).data
  expect(grants).toContainEqual({ kind: 'user', name: rower.name, privileges: ['USAGE'], grantable: [] })
  expect((await rower.call(warehouse.describe, { warehouseId })).data.name).toBe('oars')
  const channel = await rower.channel()
  const [chosen] = await channel.run('SET WAREHOUSE oars')
  expect(await channel.run('SELECT 1', { connId: chosen?.connId ?? 0 })).toMatchObject([{ result: [['1']] }])
  // Who may use it does not see who else may.
  expect((await rower.call(warehouse.grants, { warehouseId })).code).toBe(CODES.NoPermission.code)
  const stranger = await app.stranger(['cluster_admin'])
  expect((await stranger.call(warehouse.grants, { warehouseId })).code).toBe(CODES.NotFound.code)
})

test('who may change a warehouse and not use it sees it and suspends it, and runs nothing in it', async () => {
  const app = await startApp()
  const [admin, operator] = [await app.admin(), await app.user()]
  const { warehouseId } = (await admin.call(warehouse.create, { name: 'oars' })).data
  const object = objectOf('warehouse', { name: 'oars' })
  await admin.call(perms.grantPrivToUser, { user: operator.name, object, privileges: ['ALTER'] })
  expect((await operator.call(warehouse.describe, { warehouseId })).data).toMatchObject({ isUsable: false })
  const { warehouses } = (await operator.call(warehouse.list, {})).data
  expect(warehouses.map(({ name, isUsable }) => [name, isUsable])).toEqual([
    ['default_warehouse', true],
    ['oars', false],
  ])
  const channel = await operator.channel()
  const [refused] = await channel.run('SET WAREHOUSE = oars')
  expect(refused?.errMsg).toContain('oars does not exist, or you may not use it')
  expect((await channel.run('SHOW WAREHOUSES'))[0]?.result).toHaveLength(1)
  expect((await operator.call(warehouse.suspend, { warehouseId })).data.status).toBe('Suspended')
  expect((await operator.call(warehouse.delete, { warehouseId })).code).toBe(CODES.NoPermission.code)
})

test('what was done with a warehouse has the result Success [WH-39]', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const { warehouseId } = (await admin.call(warehouse.create, { name: 'oars' })).data
  await admin.call(warehouse.suspend, { warehouseId })
  const { activities } = (await admin.call(warehouse.activity, { warehouseId })).data
  expect(activities.map(({ action, result }) => [action, result])).toEqual([
    ['Suspend', 'Success'],
    ['Create', 'Success'],
  ])
})
