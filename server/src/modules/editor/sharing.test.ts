import {
  audit,
  CODES,
  editor,
  LIMITS,
  perms,
  schedule,
  type SharedObject,
  type ShareLevel,
  type SharePartner,
} from '@boathouse/contract'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startApp, type TestUser } from '../../testing/start-app.ts'

const asUser = (name: string): SharePartner => ({ kind: 'user', name })
const asRole = (name: string): SharePartner => ({ kind: 'role', name })
const ofQuery = (id: string): SharedObject => ({ kind: 'query', id })
const ofFolder = (id: string): SharedObject => ({ kind: 'folder', id })

async function setUp() {
  const app = await startApp()
  const ann = await app.user([])
  const bob = await app.user([])
  const newQuery = async (name = 'Revenue', folderId = '') =>
    (await ann.call(editor.createTab, { tabName: name, sql: 'select 1', folderId })).data.tabId
  const newFolder = async (folderName: string, parentId = '') =>
    (await ann.call(editor.createTabFolder, { folderName, parentId })).data.folderId
  const share = (of: SharedObject, partner: SharePartner, level: ShareLevel) =>
    ann.call(editor.share, { of, partner, level })
  return { app, ann, bob, newQuery, newFolder, share }
}

const codeOf = async (answer: Promise<{ code: number }>) => (await answer).code
const seenBy = async (user: TestUser, tabId: string) => user.call(editor.tabDetail, { tabId })
const sharedWith = async (user: TestUser, input = {}) => (await user.call(editor.sharedWithMe, input)).data
const save = (user: TestUser, tabId: string, text: string, revision = 1) =>
  user.call(editor.updateSql, { tabId, sql: text, revision })

describe('what is not shared', () => {
  test('is there for nobody else, whatever their roles', async () => {
    const { app, bob, newQuery, newFolder } = await setUp()
    const admin = await app.admin()
    const stranger = await app.stranger()
    const tabId = await newQuery('Private', await newFolder('Mine'))
    for (const other of [bob, admin, stranger]) {
      expect(await codeOf(seenBy(other, tabId))).toBe(CODES.NotFound.code)
      expect(await codeOf(save(other, tabId, 'select 2'))).toBe(CODES.NotFound.code)
      expect(await codeOf(other.call(editor.versions, { tabId }))).toBe(CODES.NotFound.code)
      expect(await codeOf(other.call(editor.markRun, { tabId, revision: 1 }))).toBe(CODES.NotFound.code)
      expect(await codeOf(other.call(editor.activeTab, { tabId }))).toBe(CODES.NotFound.code)
      expect((await sharedWith(other)).total).toBe(0)
    }
  })

  test('is shared by its owner alone, with whom the account has', async () => {
    const { app, ann, bob, newQuery, newFolder, share } = await setUp()
    const stranger = await app.stranger()
    const of = ofQuery(await newQuery())
    const folder = ofFolder(await newFolder('Mine'))
    await share(of, asUser(bob.name), 'edit')
    for (const object of [of, folder]) {
      const partner = asUser(ann.name)
      expect(await codeOf(bob.call(editor.share, { of: object, partner, level: 'see' }))).toBe(
        CODES.NotFound.code,
      )
      expect(await codeOf(bob.call(editor.shares, { of: object }))).toBe(CODES.NotFound.code)
      expect(await codeOf(bob.call(editor.unshare, { of: object, partner }))).toBe(CODES.NotFound.code)
    }
    expect(await codeOf(share(of, asUser(stranger.name), 'see'))).toBe(CODES.NotFound.code)
    expect(await codeOf(share(of, asRole('no_such_role'), 'see'))).toBe(CODES.NotFound.code)
    expect(await codeOf(share(of, asUser(ann.name), 'see'))).toBe(CODES.BadInput.code)
    expect(await codeOf(ann.call(editor.unshare, { of, partner: asRole('db_admin') }))).toBe(
      CODES.NotFound.code,
    )
  })

  test('is refused beyond the number of users and roles', async () => {
    const { app, ann, newQuery, share } = await setUp()
    const tabId = await newQuery()
    await sql`insert into roles (account_id, name, comment, created_by, created_at)
      select ${ann.accountId}, 'crew_' || number, '', 'test', now() from generate_series(0, ${LIMITS.queryShares}) as number`.execute(
      app.store.db,
    )
    for (let number = 0; number < LIMITS.queryShares; number++)
      expect(await codeOf(share(ofQuery(tabId), asRole(`crew_${number}`), 'see'))).toBe(CODES.Ok.code)
    const oneMore = asRole(`crew_${LIMITS.queryShares}`)
    expect(await codeOf(share(ofQuery(tabId), oneMore, 'see'))).toBe(CODES.LimitReached.code)
    // Another level is not one more.
    expect(await codeOf(share(ofQuery(tabId), asRole('crew_0'), 'edit'))).toBe(CODES.Ok.code)
  })
})

describe('levels', () => {
  test('who may see reads text and versions, and neither changes the query nor marks a run', async () => {
    const { ann, bob, newQuery, share } = await setUp()
    const tabId = await newQuery()
    await save(ann, tabId, 'select 2')
    await share(ofQuery(tabId), asUser(bob.name), 'see')
    const { data } = await seenBy(bob, tabId)
    expect(data).toMatchObject({ sql: 'select 2', access: 'see', owner: ann.name, parentFolderName: '' })
    const { list } = (await bob.call(editor.versions, { tabId })).data
    const versionId = list[0]?.versionId ?? ''
    expect((await bob.call(editor.versionText, { tabId, versionId })).data.sql).toBe('select 2')
    const refused = [
      save(bob, tabId, 'select 3', data.revision),
      bob.call(editor.updateTabParameters, { tabId, parameters: [] }),
      bob.call(editor.nameVersion, { tabId, versionId, name: 'Mine' }),
      bob.call(editor.restoreVersion, { tabId, versionId, revision: data.revision }),
      bob.call(editor.markRun, { tabId, revision: data.revision }),
      bob.call(editor.updateTabName, { tabId, tabName: 'Mine' }),
    ]
    for (const answer of refused) expect(await codeOf(answer)).toBe(CODES.NoPermission.code)
    expect(await codeOf(bob.call(editor.changeTabFolder, { tabId, folderId: '' }))).toBe(CODES.NotFound.code)
    expect((await bob.call(editor.deleteTabs, { tabIds: [tabId] })).data.deleted).toBe(0)
    expect((await seenBy(ann, tabId)).data).toMatchObject({ sql: 'select 2', access: 'own', owner: ann.name })
  })

  test('who may run marks the version that they ran, and cannot change it', async () => {
    const { ann, bob, newQuery, share } = await setUp()
    const tabId = await newQuery()
    await share(ofQuery(tabId), asUser(bob.name), 'run')
    expect(await codeOf(save(bob, tabId, 'select 3'))).toBe(CODES.NoPermission.code)
    expect(await codeOf(bob.call(editor.markRun, { tabId, revision: 1 }))).toBe(CODES.Ok.code)
    const [version] = (await ann.call(editor.versions, { tabId })).data.list
    // The text is the owner's, also where somebody else ran it.
    expect(version).toMatchObject({ userName: ann.name, characters: 8 })
    expect(version?.ranAt).not.toBe('')
  })

  test('who may edit saves, and the versions say who changed what', async () => {
    const { ann, bob, newQuery, share } = await setUp()
    const tabId = await newQuery()
    await share(ofQuery(tabId), asUser(bob.name), 'edit')
    expect((await save(bob, tabId, 'select 3')).data.revision).toBe(2)
    expect((await seenBy(ann, tabId)).data).toMatchObject({ sql: 'select 3', revision: 2 })
    const { list } = (await ann.call(editor.versions, { tabId })).data
    expect(list.map(({ userName }) => userName)).toEqual([bob.name, ann.name])
    // Only the owner renames it.
    expect(await codeOf(bob.call(editor.updateTabName, { tabId, tabName: 'Mine' }))).toBe(CODES.NotFound.code)
  })

  test('of two who save over the same text the second hears of the first', async () => {
    const { ann, bob, newQuery, share } = await setUp()
    const tabId = await newQuery()
    await share(ofQuery(tabId), asUser(bob.name), 'edit')
    const answers = await Promise.all([save(ann, tabId, 'of ann'), save(bob, tabId, 'of bob')])
    expect(answers.map(({ code }) => code).toSorted((one, other) => one - other)).toEqual([
      CODES.Ok.code,
      CODES.Conflict.code,
    ])
    const kept = answers[0].code === CODES.Ok.code ? 'of ann' : 'of bob'
    expect((await seenBy(bob, tabId)).data.sql).toBe(kept)
  })

  test('the highest of several counts', async () => {
    const { app, newQuery, newFolder, share } = await setUp()
    const carl = await app.user(['db_admin'])
    const folderId = await newFolder('Reports')
    const tabId = await newQuery('Revenue', folderId)
    await share(ofQuery(tabId), asUser(carl.name), 'see')
    await share(ofFolder(folderId), asRole('db_admin'), 'edit')
    expect((await seenBy(carl, tabId)).data.access).toBe('edit')
    expect(await sharedWith(carl)).toMatchObject({ total: 1, list: [{ tabId, access: 'edit' }] })
  })
})

describe('folders', () => {
  test('cover what is in them and below, also what comes later, until it is moved out', async () => {
    const { ann, bob, newQuery, newFolder, share } = await setUp()
    const reports = await newFolder('Reports')
    const daily = await newFolder('Daily', reports)
    const inside = await newQuery('Inside', daily)
    const outside = await newQuery('Outside')
    await share(ofFolder(reports), asUser(bob.name), 'run')
    expect((await sharedWith(bob)).list).toMatchObject([
      { tabId: inside, tabName: 'Inside', owner: ann.name, folderName: 'Reports / Daily', access: 'run' },
    ])
    expect(await codeOf(seenBy(bob, outside))).toBe(CODES.NotFound.code)
    await ann.call(editor.changeTabFolder, { tabId: outside, folderId: reports })
    expect((await seenBy(bob, outside)).data.access).toBe('run')
    await ann.call(editor.changeTabFolderParent, { folderId: daily, parentId: '' })
    expect(await codeOf(seenBy(bob, inside))).toBe(CODES.NotFound.code)
    expect((await sharedWith(bob)).list.map(({ tabName }) => tabName)).toEqual(['Outside'])
    expect((await ann.call(editor.shares, { of: ofQuery(outside) })).data.list).toEqual([
      { partner: asUser(bob.name), level: 'run', folderName: 'Reports' },
    ])
  })

  test('that are deleted end it, and so does the bin until the query is restored', async () => {
    const { ann, bob, newQuery, newFolder, share } = await setUp()
    const tabId = await newQuery('Revenue', await newFolder('Reports'))
    await share(ofQuery(tabId), asUser(bob.name), 'edit')
    await ann.call(editor.deleteTabs, { tabIds: [tabId] })
    expect(await codeOf(seenBy(bob, tabId))).toBe(CODES.NotFound.code)
    expect((await sharedWith(bob)).total).toBe(0)
    // Somebody else's query is not created again under its id, and not restored.
    await bob.call(editor.createTab, { tabId, tabName: 'Taken', sql: 'select 9' })
    expect(await codeOf(seenBy(bob, tabId))).toBe(CODES.NotFound.code)
    await ann.call(editor.restoreTab, { tabId })
    expect((await seenBy(bob, tabId)).data.sql).toBe('select 1')
  })
})

describe('access ends at once', () => {
  test('with the share', async () => {
    const { ann, bob, newQuery, share } = await setUp()
    const of = ofQuery(await newQuery())
    await share(of, asUser(bob.name), 'edit')
    await bob.call(editor.activeTab, { tabId: of.id })
    expect((await bob.call(editor.listTabTree, {})).data.shared).toMatchObject([
      { bizId: of.id, hidden: false },
    ])
    await ann.call(editor.unshare, { of, partner: asUser(bob.name) })
    expect(await codeOf(save(bob, of.id, 'select 2'))).toBe(CODES.NotFound.code)
    expect((await bob.call(editor.listTabTree, {})).data.shared).toEqual([])
  })

  test('with the role of the user, and with the role itself, also if one is made under its name', async () => {
    const { app, bob, newQuery, share } = await setUp()
    const admin = await app.admin()
    const of = ofQuery(await newQuery())
    const grant = () => admin.call(perms.grantRoleToUser, { role: 'crew', user: bob.name })
    await admin.call(perms.createRole, { role: 'crew' })
    await grant()
    await share(of, asRole('crew'), 'see')
    expect(await codeOf(seenBy(bob, of.id))).toBe(CODES.Ok.code)
    await admin.call(perms.revokeRoleFromUser, { role: 'crew', user: bob.name })
    expect(await codeOf(seenBy(bob, of.id))).toBe(CODES.NotFound.code)
    await grant()
    expect(await codeOf(seenBy(bob, of.id))).toBe(CODES.Ok.code)
    await admin.call(perms.deleteRole, { role: 'crew' })
    await admin.call(perms.createRole, { role: 'crew' })
    await grant()
    expect(await codeOf(seenBy(bob, of.id))).toBe(CODES.NotFound.code)
  })

  test('with the user, on either side', async () => {
    const { app, ann, bob, newQuery, share } = await setUp()
    const admin = await app.admin()
    const carl = await app.user([])
    const of = ofQuery(await newQuery())
    await share(of, asUser(bob.name), 'see')
    await share(of, asUser(carl.name), 'see')
    await admin.call(perms.deleteUser, { user: carl.name })
    expect((await ann.call(editor.shares, { of })).data.list).toEqual([
      { partner: asUser(bob.name), level: 'see', folderName: '' },
    ])
    await admin.call(perms.deleteUser, { user: ann.name })
    expect(await codeOf(seenBy(bob, of.id))).toBe(CODES.NotFound.code)
    expect((await sharedWith(bob)).total).toBe(0)
  })
})

describe('lists', () => {
  test('what is shared with me is found by name, page by page', async () => {
    const { bob, newQuery, newFolder, share } = await setUp()
    const folderId = await newFolder('Reports')
    for (const name of ['Gamma', 'alpha', 'Beta']) await newQuery(name, folderId)
    await share(ofFolder(folderId), asRole('public'), 'see')
    const names = async (input: object) => (await sharedWith(bob, input)).list.map(({ tabName }) => tabName)
    expect(await names({})).toEqual(['alpha', 'Beta', 'Gamma'])
    expect(await names({ offset: 1, limit: 1 })).toEqual(['Beta'])
    expect(await sharedWith(bob, { search: 'ET', limit: 1 })).toMatchObject({ total: 1 })
    expect(await names({ search: '%' })).toEqual([])
  })

  test('users and roles are found by how they begin, and only in the account', async () => {
    const { app, ann, bob } = await setUp()
    const stranger = await app.stranger()
    const found = async (search: string) =>
      (await ann.call(editor.sharePartners, { search })).data.list.map(({ name }) => name)
    expect(await found(bob.name.toUpperCase())).toEqual([bob.name])
    expect(await found(ann.name)).toEqual([])
    expect(await found(stranger.name)).not.toContain(stranger.name)
    expect(await found('pub')).toEqual(['public'])
    expect(await found('%')).toEqual([])
  })

  test('shared queries are tabs of their reader, in the order of all of them', async () => {
    const { ann, bob, newQuery, share } = await setUp()
    const theirs = await newQuery()
    await share(ofQuery(theirs), asUser(bob.name), 'see')
    const own = (await bob.call(editor.createTab, { tabName: 'Own' })).data.tabId
    await bob.call(editor.activeTab, { tabId: theirs })
    const treeOf = async () => (await bob.call(editor.listTabTree, {})).data
    expect((await treeOf()).shared).toMatchObject([{ bizId: theirs, active: true, hidden: false }])
    expect((await treeOf()).tabs).toMatchObject([{ bizId: own, active: false }])
    await bob.call(editor.orderTabs, { tabIds: [theirs, own] })
    expect((await treeOf()).shared[0]?.position).toBeLessThan((await treeOf()).tabs[0]?.position ?? 0)
    await bob.call(editor.activeTab, { tabId: own })
    expect((await treeOf()).shared).toMatchObject([{ active: false }])
    await bob.call(editor.hideTab, { tabId: theirs })
    expect((await treeOf()).shared).toEqual([])
    // The tab of the owner is another one.
    expect((await ann.call(editor.listTabTree, {})).data.tabs).toMatchObject([
      { bizId: theirs, hidden: false, isShared: true },
    ])
  })
})

test('who has a query open is notified of a new text', async () => {
  const { ann, bob, newQuery, share } = await setUp()
  const tabId = await newQuery()
  await share(ofQuery(tabId), asUser(bob.name), 'edit')
  await bob.call(editor.activeTab, { tabId })
  const channels = { ann: await ann.channel(), bob: await bob.channel() }
  const heard = (who: 'ann' | 'bob', revision: number) =>
    channels[who].hear((message) => {
      const data = message.cmd === 3 ? JSON.stringify(message.data) : ''
      return data === JSON.stringify({ tabId, revision }) || undefined
    })
  const [toBob] = await Promise.all([heard('bob', 2), save(ann, tabId, 'select 2')])
  const [toAnn] = await Promise.all([heard('ann', 3), save(bob, tabId, 'select 3', 2)])
  expect([toBob, toAnn]).toEqual([true, true])
})

test('a schedule does not run what others wrote, until its owner has run it', async () => {
  const { app, ann, bob, newQuery, share } = await setUp()
  const tabId = await newQuery()
  const draft = { tabId, cron: '*/5 * * * *', timeZone: 'UTC' }
  await share(ofQuery(tabId), asUser(bob.name), 'edit')
  expect(await codeOf(bob.call(schedule.save, draft))).toBe(CODES.NotFound.code)
  expect(await codeOf(ann.call(schedule.save, draft))).toBe(CODES.Ok.code)
  await save(bob, tabId, 'select 2')
  await bob.call(editor.markRun, { tabId, revision: 2 })
  expect(await codeOf(ann.call(schedule.save, draft))).toBe(CODES.Conflict.code)
  // Changing a value is not looking at the text.
  await ann.call(editor.updateTabParameters, { tabId, parameters: [] })
  expect(await codeOf(ann.call(schedule.save, draft))).toBe(CODES.Conflict.code)
  await ann.call(editor.markRun, { tabId, revision: 2 })
  expect(await codeOf(ann.call(schedule.save, draft))).toBe(CODES.Ok.code)
  await bob.call(editor.updateTabParameters, { tabId, parameters: [] })
  app.clock.advance(5 * 60_000)
  await app.schedules.runDue()
  await app.schedules.idle()
  const [own] = (await ann.call(schedule.list, {})).data.schedules
  const { runs } = (await ann.call(schedule.runs, { scheduleId: own?.scheduleId ?? '' })).data
  expect(runs[0]?.error).toContain('has changed it')
})

test('the audit log says who shared what with whom', async () => {
  const { app, ann, bob, newQuery, share } = await setUp()
  const admin = await app.admin()
  const of = ofQuery(await newQuery())
  await share(of, asUser(bob.name), 'see')
  await share(of, asUser(bob.name), 'edit')
  await ann.call(editor.unshare, { of, partner: asUser(bob.name) })
  const { entries } = (await admin.call(audit.list, { objectType: 'saved_query' })).data
  expect(entries.map(({ action }) => action)).toEqual(['query.unshare', 'query.share', 'query.share'])
})
