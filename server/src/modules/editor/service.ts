import { randomUUID } from 'node:crypto'
import type { EditorTab, SavedFolder, SavedTab } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { EditorStore } from './store.ts'

const MAX_TABS = 1000

type FolderRow = Awaited<ReturnType<EditorStore['folders']>>[number]
type TabRow = Awaited<ReturnType<EditorStore['tabs']>>[number]
type FullTabRow = NonNullable<Awaited<ReturnType<EditorStore['find']>>>

type Place = Pick<EditorTab, 'tabId' | 'catalog' | 'database'>

const presentTab = (row: FullTabRow): EditorTab => ({
  tabId: row.tab_id,
  tabName: row.name,
  parentFolderName: row.folder_name ?? '',
  catalog: row.catalog ?? '',
  database: row.database_name ?? '',
  sql: row.sql,
  revision: row.revision,
  hidden: row.hidden,
  active: row.active,
})

/** EDITOR-03, EDITOR-14: folders hold tabs and other folders; a tab may stand outside any folder. */
export function buildTree(folders: readonly FolderRow[], tabs: readonly TabRow[]) {
  const nameOf = new Map(folders.map((folder) => [folder.folder_id, folder.name]))
  const tabsIn = (folderId: string | null): SavedTab[] =>
    tabs
      .filter((tab) => tab.folder_id === folderId)
      .map((tab) => ({
        bizId: tab.tab_id,
        tabName: tab.name,
        parentId: folderId ?? '',
        parentFolderName: nameOf.get(folderId ?? '') ?? '',
        hidden: tab.hidden,
        active: tab.active,
      }))
  const foldersIn = (parentId: string | null): SavedFolder[] =>
    folders
      .filter((folder) => folder.parent_id === parentId)
      .map((folder) => ({
        bizId: folder.folder_id,
        folder: folder.name,
        parentId: parentId ?? '',
        parentFolderName: nameOf.get(parentId ?? '') ?? '',
        tabs: tabsIn(folder.folder_id),
        children: foldersIn(folder.folder_id),
      }))
  return { folders: foldersIn(null), tabs: tabsIn(null) }
}

const noSuchTab = () => new AppError('NotFound', 'This query does not exist, or it was deleted.')

export function createEditor({ store, clock }: { store: EditorStore; clock: Clock }) {
  async function find(actor: Actor, tabId: string): Promise<FullTabRow> {
    const row = await store.find(actor.userId, tabId)
    if (!row) throw noSuchTab()
    return row
  }

  return {
    listTabTree: async (actor: Actor) =>
      buildTree(await store.folders(actor.userId), await store.tabs(actor.userId)),

    async createTab(actor: Actor, draft: { tabName: string; sql: string }): Promise<EditorTab> {
      if ((await store.countTabs(actor.userId)) >= MAX_TABS)
        throw new AppError(
          'LimitReached',
          `You have ${MAX_TABS} saved queries, the most there can be. Delete some.`,
        )
      const tabId = randomUUID()
      await store.insert({
        tab_id: tabId,
        account_id: actor.accountId,
        user_id: actor.userId,
        name: draft.tabName,
        sql: draft.sql,
        at: clock.now(),
      })
      return presentTab(await find(actor, tabId))
    },

    tabDetail: async (actor: Actor, tabId: string) => presentTab(await find(actor, tabId)),

    /** Whether there is such a place is seen when the tab goes there: it may be dropped and made again meanwhile. */
    async updateTabDatabase(actor: Actor, { tabId, catalog, database }: Place) {
      const place = { catalog: catalog || null, database: database || null }
      if (!(await store.updatePlace(actor.userId, tabId, place))) throw noSuchTab()
    },

    async updateSql(actor: Actor, change: { tabId: string; sql: string; revision: number }) {
      const saved = await store.updateSql({ ...change, userId: actor.userId, at: clock.now() })
      if (saved) return { revision: saved.revision }
      const stored = await find(actor, change.tabId)
      // A save whose answer was lost comes again: the text is already there.
      if (stored.sql === change.sql) return { revision: stored.revision }
      throw new AppError('Conflict', 'This query was changed elsewhere since you opened it.')
    },

    async activeTab(actor: Actor, tabId: string) {
      await find(actor, tabId)
      await store.activate(actor.userId, tabId)
    },
  }
}

export type Editor = ReturnType<typeof createEditor>
