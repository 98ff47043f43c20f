import { objectOf, perms } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { startApp } from '../../testing/start-app.ts'
import { createAccountAccess } from './account-access.ts'

const IN_MAIN = { catalog: 'default_catalog', database: 'main' }

test('what all users of an account may do with data is found at once, and users with the same roles together', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const [grace, ada, nobody] = [await app.user(), await app.user(), await app.user()]
  const channel = await admin.channel()
  await channel.run('CREATE TABLE boats (a INT)')
  for (const role of ['readers', 'analysts']) await admin.call(perms.createRole, { role })
  await admin.call(perms.grantRoleToRole, { role: 'readers', toRole: 'analysts' })
  for (const { name } of [grace, ada])
    await admin.call(perms.grantRoleToUser, { role: 'analysts', user: name })
  const boats = objectOf('table', { ...IN_MAIN, name: 'boats' })
  await admin.call(perms.grantPrivToRole, { role: 'readers', object: boats, privileges: ['SELECT'] })
  const main = objectOf('database', IN_MAIN)
  await admin.call(perms.grantPrivToRole, { role: 'analysts', object: main, privileges: ['CREATE TABLE'] })

  const access = createAccountAccess({ db: app.store.db })
  const classOf = async (name: string) => {
    const found = (await access.of(app.accountId)).find(({ users }) => users.includes(name))
    return found && { users: found.users.toSorted(), objects: found.objects }
  }
  const read = { catalog: 'default_catalog', schema: 'main', table: 'boats', privileges: ['SELECT'] }
  const create = { catalog: 'default_catalog', schema: 'main', table: null, privileges: ['OWNERSHIP'] }
  const alike = await classOf(grace.name)
  expect(alike?.users).toEqual([ada.name, grace.name].toSorted())
  expect(alike?.objects).toHaveLength(2)
  expect(alike?.objects).toEqual(expect.arrayContaining([read, create]))
  expect(await classOf(nobody.name)).toBeUndefined()
  expect((await classOf(admin.name))?.objects).toEqual([
    {
      catalog: null,
      schema: null,
      table: null,
      privileges: ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'OWNERSHIP'],
    },
  ])

  const before = (await access.versionsOf([app.accountId])).get(app.accountId)
  await admin.call(perms.grantPrivToUser, { user: ada.name, object: boats, privileges: ['DELETE'] })
  expect((await access.versionsOf([app.accountId])).get(app.accountId)).not.toBe(before)
  expect((await classOf(grace.name))?.users).toEqual([grace.name])
  const own = (await classOf(ada.name))?.objects
  expect(own).toHaveLength(3)
  expect(own).toEqual(expect.arrayContaining([{ ...read, privileges: ['DELETE'] }]))
})
