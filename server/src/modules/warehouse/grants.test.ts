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
  // Who may use it does not see who else may.
  expect((await rower.call(warehouse.grants, { warehouseId })).code).toBe(CODES.NoPermission.code)
  const stranger = await app.stranger(['cluster_admin'])
  expect((await stranger.call(warehouse.grants, { warehouseId })).code).toBe(CODES.NotFound.code)
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
