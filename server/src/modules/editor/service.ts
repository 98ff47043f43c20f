import { randomUUID } from 'node:crypto'
import type { ChartSettings, EditorTab, GlobalEvent, Parameter } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Events } from '../../kernel/events.ts'
import { jsonText } from '../../store/json-text.ts'
import { createFolders } from './folders.ts'
import type { EditorQueries, EditorStore } from './store.ts'
import { type FullTabRow, presentRecent, presentTab, buildTree } from './present-tab.ts'
import { createVersions, keepVersion } from './versions.ts'
import { noSuchTab, refuseTooMany, createBin } from './bin.ts'

const CHANGED: GlobalEvent = 'GlobalEventTypeEditorChanged'

type Place = Pick<EditorTab, 'tabId' | 'catalog' | 'database'>
type TextChange = Pick<EditorTab, 'tabId' | 'sql' | 'revision'>

export interface TabDraft {
  readonly tabId?: string | undefined
  readonly tabName: string
  readonly sql: string
  readonly folderId: string
  readonly catalog: string
  readonly database: string
  readonly parameters: readonly Parameter[]
}

const readOnly = () =>
  new AppError('ReadOnly', 'This query is a sample and read-only. Save your text as a copy.')

const newRow = (actor: Actor, draft: TabDraft, isFolder: boolean) => ({
  account_id: actor.accountId,
  user_id: actor.userId,
  // A missing folder must not cost the text.
  folder_id: isFolder ? draft.folderId : null,
  name: draft.tabName,
  catalog: draft.catalog || null,
  database_name: draft.database || null,
  sql: draft.sql,
  parameters: draft.parameters.length > 0 ? jsonText(draft.parameters) : null,
})

export function createEditor({ store, clock, events }: { store: EditorStore; clock: Clock; events: Events }) {
  async function find(actor: Actor, tabId: string): Promise<FullTabRow> {
    const row = await store.find(actor.userId, tabId)
    if (!row) throw noSuchTab()
    return row
  }

  /**
   * Notifies the user's windows, which then reload. Not stored: a window that was away reloads everything anyway. With
   * `text`, the tab whose text changed.
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

  async function changeUnlessSample(
    actor: Actor,
    tabId: string,
    work: (own: EditorQueries) => Promise<boolean>,
  ): Promise<void> {
    if (await grown(actor, tabId, work)) return
    await find(actor, tabId)
    throw readOnly()
  }

  /** Only over the revision that the client has seen. With `isNew`, the text is a version of its own. */
  async function save(actor: Actor, change: TextChange, isNew: boolean) {
    const text = { ...change, userId: actor.userId, at: clock.now() }
    const saved = await grown(actor, change.tabId, async (own) => {
      const before = await own.find(actor.userId, change.tabId)
      const updated = await own.updateSql(text)
      if (before && updated && before.sql !== text.sql)
        await keepVersion(own, { text: { ...text, revision: updated.revision }, before, isNew })
      return updated
    })
    if (saved) {
      changed(actor, { tabId: change.tabId, revision: saved.revision })
      return { revision: saved.revision }
    }
    const stored = await find(actor, change.tabId)
    // A save whose answer was lost comes again: the text is already there.
    if (stored.sql === change.sql) return { revision: stored.revision }
    if (stored.sample) throw readOnly()
    throw new AppError('Conflict', 'This query was changed elsewhere since you opened it.')
  }

  const folders = createFolders({ store, clock, changed })

  return {
    ...createBin({ store, clock, changed, find }),

    folders,

    recent: async (actor: Actor, most: number) =>
      (await store.recentTabs(actor.userId, most)).map(presentRecent),

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
        await own.insert({ ...newRow(actor, draft, isFolder), tab_id: tabId, at: clock.now() })
        await own.requireQuota(actor)
      })
      changed(actor)
      return presentTab(await find(actor, tabId))
    },

    tabDetail: async (actor: Actor, tabId: string) => presentTab(await find(actor, tabId)),

    /** Whether the place exists is checked when the tab uses it: it can be dropped and recreated in between. */
    async updateTabDatabase(actor: Actor, { tabId, catalog, database }: Place) {
      const place = { catalog: catalog || null, database: database || null }
      if (!(await store.updatePlace(actor.userId, tabId, place))) throw noSuchTab()
    },

    updateTabChart: (actor: Actor, { tabId, chart }: { tabId: string; chart: ChartSettings }) =>
      changeUnlessSample(actor, tabId, (own) => own.updateChart(actor.userId, tabId, chart)),

    updateTabParameters: (
      actor: Actor,
      { tabId, parameters }: { tabId: string; parameters: readonly Parameter[] },
    ) => changeUnlessSample(actor, tabId, (own) => own.updateParameters(actor.userId, tabId, parameters)),

    async updateTabName(actor: Actor, { tabId, tabName }: Pick<EditorTab, 'tabId' | 'tabName'>) {
      if (!(await grown(actor, tabId, (own) => own.rename(actor.userId, tabId, tabName)))) throw noSuchTab()
      changed(actor)
    },

    updateSql: (actor: Actor, change: TextChange) => save(actor, change, false),

    versions: createVersions({ store, clock, find, save }),

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
  }
}

export type Editor = ReturnType<typeof createEditor>
