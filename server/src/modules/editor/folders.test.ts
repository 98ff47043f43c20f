import { CODES, editor, LIMITS } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { startApp } from '../../testing/start-app.ts'

type App = Awaited<ReturnType<typeof startApp>>
type User = Awaited<ReturnType<App['admin']>>

const newFolder = async (user: User, folderName: string, parentId = '') =>
  (await user.call(editor.createTabFolder, { folderName, parentId })).data.folderId
const newTab = async (user: User, tabName: string, folderId = '') =>
  (await user.call(editor.createTab, { tabName, sql: `-- ${tabName}`, folderId })).data.tabId
const treeOf = async (user: User) => (await user.call(editor.listTabTree, {})).data

test('folders are created in folders, renamed, moved and listed with what is in them [EDITOR-05, EDITOR-14, EDITOR-67, EDITOR-68, EDITOR-70, EDITOR-72]', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const reports = await newFolder(admin, ' Reports ')
  const daily = await newFolder(admin, 'Daily', reports)
  const tabId = await newTab(admin, 'Revenue', daily)
  expect(await treeOf(admin)).toMatchObject({
    folders: [
      {
        bizId: reports,
        folder: 'Reports',
        parentId: '',
        parentFolderName: '',
        tabs: [],
        children: [
          {
            bizId: daily,
            folder: 'Daily',
            parentId: reports,
            parentFolderName: 'Reports',
            children: [],
            tabs: [{ bizId: tabId, tabName: 'Revenue', parentId: daily, parentFolderName: 'Daily' }],
          },
        ],
      },
    ],
    tabs: [],
  })
  await admin.call(editor.updateTabFolder, { folderId: daily, folderName: 'Every day' })
  await admin.call(editor.changeTabFolderParent, { folderId: daily, parentId: '' })
  const { folders } = await treeOf(admin)
  expect(folders.map(({ folder, parentId }) => ({ folder, parentId }))).toEqual([
    { folder: 'Every day', parentId: '' },
    { folder: 'Reports', parentId: '' },
  ])
})

test('tabs are renamed and moved to a folder and out again [EDITOR-06, EDITOR-59, EDITOR-71]', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const folderId = await newFolder(admin, 'Reports')
  const tabId = await newTab(admin, 'Revenue')
  await admin.call(editor.updateTabName, { tabId, tabName: 'Turnover' })
  await admin.call(editor.changeTabFolder, { tabId, folderId })
  expect((await admin.call(editor.tabDetail, { tabId })).data).toMatchObject({
    tabName: 'Turnover',
    parentFolderName: 'Reports',
    sql: '-- Revenue',
  })
  await admin.call(editor.changeTabFolder, { tabId, folderId: '' })
  expect((await treeOf(admin)).tabs.map(({ bizId }) => bizId)).toEqual([tabId])
})

test('a folder is deleted with those in it, and its tabs can be brought back [EDITOR-69]', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const outer = await newFolder(admin, 'Outer')
  const inner = await newFolder(admin, 'Inner', outer)
  const [one, two, other] = [
    await newTab(admin, 'One', outer),
    await newTab(admin, 'Two', inner),
    await newTab(admin, 'Other'),
  ]
  expect((await admin.call(editor.deleteTabFolder, { folderId: outer })).data).toEqual({ deleted: 2 })
  expect(await treeOf(admin)).toMatchObject({ folders: [], tabs: [{ bizId: other }] })
  const bin = (await admin.call(editor.listDeletedTabs, {})).data
  expect(bin.list.map(({ tabId }) => tabId).toSorted()).toEqual([one, two].toSorted())
  const restored = await admin.call(editor.restoreTab, { tabId: two })
  expect(restored.data).toMatchObject({ tabName: 'Two', parentFolderName: '', sql: '-- Two', hidden: false })
})

test('a folder is not moved into itself, nor into one that is in it', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const outer = await newFolder(admin, 'Outer')
  const inner = await newFolder(admin, 'Inner', outer)
  const into = (parentId: string) => admin.call(editor.changeTabFolderParent, { folderId: outer, parentId })
  expect((await into(outer)).code).toBe(CODES.Conflict.code)
  expect((await into(inner)).code).toBe(CODES.Conflict.code)
  const both = await Promise.all([
    admin.call(editor.changeTabFolderParent, { folderId: inner, parentId: '' }),
    admin.call(editor.changeTabFolderParent, { folderId: outer, parentId: inner }),
  ])
  // Whichever came first, every folder is still in the tree.
  expect(both.map(({ code }) => code)).toContain(CODES.Ok.code)
  expect(JSON.stringify(await treeOf(admin))).toContain(inner)
  expect(JSON.stringify(await treeOf(admin))).toContain(outer)
})

test('folders have a greatest depth, also when they are moved', async () => {
  const app = await startApp()
  const admin = await app.admin()
  let parentId = ''
  for (let level = 1; level <= LIMITS.folderLevels; level++)
    parentId = await newFolder(admin, `L${level}`, parentId)
  expect((await admin.call(editor.createTabFolder, { folderName: 'deeper', parentId })).code).toBe(
    CODES.LimitReached.code,
  )
  const beside = await newFolder(admin, 'beside')
  const move = await admin.call(editor.changeTabFolderParent, { folderId: beside, parentId })
  expect(move.code).toBe(CODES.LimitReached.code)
})

test.each([
  ['an empty name', ' ', 'folderName: Enter the folder name'],
  ['a name of 33 characters', 'x'.repeat(33), 'folderName: The maximum length is 32'],
])('%s of a folder is refused [EDITOR-11]', async (_, folderName, message) => {
  const app = await startApp()
  const admin = await app.admin()
  const folderId = await newFolder(admin, 'y'.repeat(32))
  expect(await admin.call(editor.createTabFolder, { folderName })).toMatchObject({
    code: CODES.BadInput.code,
    message,
  })
  expect(await admin.call(editor.updateTabFolder, { folderId, folderName })).toMatchObject({
    code: CODES.BadInput.code,
    message,
  })
})

test('two queries and two folders may have the same name [EDITOR-11]', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const ids = [await newTab(admin, 'Same'), await newTab(admin, 'Same')]
  await newFolder(admin, 'Same')
  await newFolder(admin, 'Same')
  expect((await treeOf(admin)).tabs.map(({ bizId }) => bizId).toSorted()).toEqual(ids.toSorted())
})

test("another user's folders and tabs do not exist for me", async () => {
  const app = await startApp()
  const [admin, other] = [await app.admin(), await app.user(['db_admin'])]
  const folderId = await newFolder(admin, 'Mine')
  const tabId = await newTab(admin, 'Mine', folderId)
  const codes = [
    (await other.call(editor.createTabFolder, { folderName: 'x', parentId: folderId })).code,
    (await other.call(editor.updateTabFolder, { folderId, folderName: 'x' })).code,
    (await other.call(editor.deleteTabFolder, { folderId })).code,
    (await other.call(editor.changeTabFolderParent, { folderId, parentId: '' })).code,
    (await other.call(editor.changeTabFolder, { tabId, folderId: '' })).code,
    (await other.call(editor.updateTabName, { tabId, tabName: 'x' })).code,
    (await other.call(editor.hideTab, { tabId })).code,
    (await other.call(editor.restoreTab, { tabId })).code,
    (await other.call(editor.createTab, { tabId, tabName: 'x' })).code,
  ]
  expect(codes).toEqual(codes.map(() => CODES.NotFound.code))
  await other.call(editor.orderTabs, { tabIds: [tabId] })
  expect((await other.call(editor.deleteTabs, { tabIds: [tabId] })).data).toEqual({ deleted: 0 })
  await admin.call(editor.deleteTabs, { tabIds: [tabId] })
  expect((await other.call(editor.listDeletedTabs, {})).data).toEqual({ list: [], total: 0 })
  expect((await other.call(editor.restoreTab, { tabId })).code).toBe(CODES.NotFound.code)
  expect((await treeOf(admin)).folders).toMatchObject([{ folder: 'Mine' }])
})

test('a query saved to a folder that no longer exists is at the top: its text is not lost', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const folderId = await newFolder(admin, 'Gone')
  await admin.call(editor.deleteTabFolder, { folderId })
  await newTab(admin, 'Kept', folderId)
  expect((await treeOf(admin)).tabs).toMatchObject([{ tabName: 'Kept', parentId: '' }])
})
