import { randomUUID } from 'node:crypto'
import { ChartSettings, type DeletedTab, type EditorTab, type GlobalEvent, LIMITS } from '@boathouse/contract'
import type { SavedFolder, SavedTab } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Events } from '../../kernel/events.ts'
import { inBatches } from '../../store/in-batches.ts'
import { createFolders } from './folders.ts'
import type { EditorQueries, EditorStore } from './store.ts'

const DAY_MS = 24 * 3_600_000
const CHANGED: GlobalEvent = 'GlobalEventTypeEditorChanged'

type FolderRow = Awaited<ReturnType<EditorStore['folders']>>[number]
type TabRow = Awaited<ReturnType<EditorStore['tabs']>>[number]
type FullTabRow = NonNullable<Awaited<ReturnType<EditorStore['find']>>>

type Place = Pick<EditorTab, 'tabId' | 'catalog' | 'database'>

export interface TabDraft {
  readonly tabId?: string | undefined
  readonly tabName: string
  readonly sql: string
  readonly folderId: string
  readonly catalog: string
  readonly database: string
}

/** What an earlier version kept and this one does not know is as if it had never been. */
const chartOf = (kept: unknown): EditorTab['chart'] => ChartSettings.safeParse(kept).data ?? null

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
  sample: row.sample,
  chart: chartOf(row.chart),
})

/** EDITOR-03, EDITOR-14: folders hold tabs and other folders; a tab may stand outside any folder. */
function buildTree(folders: readonly FolderRow[], tabs: readonly TabRow[]) {
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
        sample: tab.sample,
        position: tab.position,
        closedAt: tab.closed_at?.toISOString() ?? '',
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

const readOnly = () =>
  new AppError('ReadOnly', 'This query is a sample and read-only. Save your text as a copy.')

async function refuseTooMany(own: EditorQueries, actor: Actor): Promise<void> {
  if ((await own.countTabs(actor.userId)) >= LIMITS.savedQueries)
    throw new AppError(
      'LimitReached',
      `You have ${LIMITS.savedQueries} saved queries, the maximum. Delete some.`,
    )
}

export function createEditor({ store, clock, events }: { store: EditorStore; clock: Clock; events: Events }) {
  async function find(actor: Actor, tabId: string): Promise<FullTabRow> {
    const row = await store.find(actor.userId, tabId)
    if (!row) throw noSuchTab()
    return row
  }

  /**
   * The user's windows are told, and look for themselves. Not kept for who is away: whoever comes back asks for
   * everything anyway. With a text, the tab whose text is another now.
   */
  const changed = ({ accountId, userId }: Actor, text: { tabId: string; revision: number } | null = null) =>
    events.emit('announced', { seq: 0, accountId, userId, type: CHANGED, data: text })

  /** A change of one tab. It is undone when the tab is larger for it than there is room; one that makes it smaller never. */
  const grown = <T>(actor: Actor, tabId: string, work: (own: EditorQueries) => Promise<T>): Promise<T> =>
    store.together(async (own) => {
      const before = await own.bytesOf(actor.userId, tabId)
      const done = await work(own)
      if ((await own.bytesOf(actor.userId, tabId)) > before) await own.requireQuota(actor)
      return done
    })

  const folders = createFolders({ store, clock, changed })

  return {
    folders,

    listTabTree: async (actor: Actor) =>
      buildTree(await store.folders(actor.userId), await store.tabs(actor.userId)),

    /** With an id that is known already, nothing is made: the tab is answered as it is, out of the bin if it was there. */
    async createTab(actor: Actor, draft: TabDraft): Promise<EditorTab> {
      const tabId = draft.tabId ?? randomUUID()
      await store.alone(actor.userId, async (own) => {
        if (await own.find(actor.userId, tabId)) return
        await refuseTooMany(own, actor)
        if (await own.restore(actor.userId, tabId)) return
        const isFolder = (await own.folders(actor.userId)).some(
          ({ folder_id }) => folder_id === draft.folderId,
        )
        await own.insert({
          tab_id: tabId,
          account_id: actor.accountId,
          user_id: actor.userId,
          // A folder that is gone meanwhile must not cost the text.
          folder_id: isFolder ? draft.folderId : null,
          name: draft.tabName,
          catalog: draft.catalog || null,
          database_name: draft.database || null,
          sql: draft.sql,
          at: clock.now(),
        })
        await own.requireQuota(actor)
      })
      changed(actor)
      return presentTab(await find(actor, tabId))
    },

    tabDetail: async (actor: Actor, tabId: string) => presentTab(await find(actor, tabId)),

    /** Whether there is such a place is seen when the tab goes there: it may be dropped and made again meanwhile. */
    async updateTabDatabase(actor: Actor, { tabId, catalog, database }: Place) {
      const place = { catalog: catalog || null, database: database || null }
      if (!(await store.updatePlace(actor.userId, tabId, place))) throw noSuchTab()
    },

    async updateTabChart(actor: Actor, { tabId, chart }: { tabId: string; chart: ChartSettings }) {
      if (await grown(actor, tabId, (own) => own.updateChart(actor.userId, tabId, chart))) return
      await find(actor, tabId)
      throw readOnly()
    },

    async updateTabName(actor: Actor, { tabId, tabName }: Pick<EditorTab, 'tabId' | 'tabName'>) {
      if (!(await grown(actor, tabId, (own) => own.rename(actor.userId, tabId, tabName)))) throw noSuchTab()
      changed(actor)
    },

    async updateSql(actor: Actor, change: { tabId: string; sql: string; revision: number }) {
      const text = { ...change, userId: actor.userId, at: clock.now() }
      const saved = await grown(actor, change.tabId, (own) => own.updateSql(text))
      if (saved) {
        changed(actor, { tabId: change.tabId, revision: saved.revision })
        return { revision: saved.revision }
      }
      const stored = await find(actor, change.tabId)
      // A save whose answer was lost comes again: the text is already there.
      if (stored.sql === change.sql) return { revision: stored.revision }
      if (stored.sample) throw readOnly()
      throw new AppError('Conflict', 'This query was changed elsewhere since you opened it.')
    },

    async activeTab(actor: Actor, tabId: string) {
      const { hidden } = await find(actor, tabId)
      await store.activate(actor.userId, tabId)
      if (hidden) changed(actor)
    },

    async hideTab(actor: Actor, tabId: string) {
      if (!(await store.hide(actor.userId, tabId, clock.now()))) throw noSuchTab()
      changed(actor)
    },

    async orderTabs(actor: Actor, tabIds: readonly string[]) {
      await store.order(actor.userId, tabIds)
      changed(actor)
    },

    async deleteTabs(actor: Actor, tabIds: readonly string[]) {
      const deleted = await store.alone(actor.userId, async (own) => {
        const count = await own.throwAway(actor.userId, tabIds, clock.now())
        await own.forgetBeyond(actor.userId, LIMITS.binQueries)
        return count
      })
      changed(actor)
      return { deleted }
    },

    async listDeletedTabs(actor: Actor, page: { offset: number; limit: number }) {
      const rows = await store.deleted(actor.userId, page)
      const list = rows.map((row): DeletedTab => ({
        tabId: row.tab_id,
        tabName: row.name,
        sql: row.sql,
        deletedAt: row.deleted_at?.toISOString() ?? '',
      }))
      return { list, total: await store.countDeleted(actor.userId) }
    },

    async restoreTab(actor: Actor, tabId: string): Promise<EditorTab> {
      await store.alone(actor.userId, async (own) => {
        await refuseTooMany(own, actor)
        if (!(await own.restore(actor.userId, tabId))) throw noSuchTab()
      })
      changed(actor)
      return presentTab(await find(actor, tabId))
    },

    /** For good. */
    async emptyBin(actor: Actor, tabIds?: readonly string[]) {
      const deleted = await store.emptyBin(actor.userId, tabIds)
      changed(actor)
      return { deleted }
    },

    emptyBins: () => {
      const before = new Date(clock.now().getTime() - LIMITS.binDays * DAY_MS)
      return inBatches((most) => store.forgetDeletedBefore(before, most))
    },
  }
}

export type Editor = ReturnType<typeof createEditor>
