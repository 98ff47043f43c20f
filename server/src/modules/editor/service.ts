import { randomUUID } from 'node:crypto'
import {
  DEFAULT_CATALOG,
  type ResultLook,
  type EditorTab,
  type GlobalEvent,
  LIMITS,
  type Parameter,
} from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Events } from '../../kernel/events.ts'
import { jsonText } from '../../store/json-text.ts'
import { createComments } from './comments.ts'
import { createFolders } from './folders.ts'
import { createLive } from './live.ts'
import { createPresence } from './presence.ts'
import { createOpenTabs } from './open-tabs.ts'
import type { EditorQueries, EditorStore } from './store.ts'
import { buildTree, presentRecent, presentTab } from './present-tab.ts'
import { createSnippets } from './snippets.ts'
import { createSharing, MOST_NOTIFIED } from './sharing.ts'
import { findTab, readerOf, type SeenTab } from './tab-access.ts'
import { createTabSaving, type TextSave } from './tab-saving.ts'
import { createVersions } from './versions.ts'
import { noSuchTab, refuseTooMany, createBin } from './bin.ts'

const CHANGED: GlobalEvent = 'GlobalEventTypeEditorChanged'
const COMMENTED: GlobalEvent = 'GlobalEventTypeEditorComments'

type Place = Pick<EditorTab, 'tabId' | 'catalog' | 'database'>

export interface TabDraft {
  readonly tabId?: string | undefined
  readonly tabName: string
  readonly sql: string
  readonly folderId: string
  readonly catalog: string
  readonly database: string
  readonly parameters: readonly Parameter[]
}

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

export interface EditorParts {
  readonly store: EditorStore
  readonly seesDatabase: (actor: Actor, place: { catalog: string; database: string }) => Promise<boolean>
  readonly clock: Clock
  readonly events: Events
}

export function createEditor({ store, seesDatabase, clock, events }: EditorParts) {
  const find = (actor: Actor, tabId: string, queries: EditorQueries = store) => findTab(queries, actor, tabId)

  /**
   * Notifies windows of these users, which then reload. Not stored: a window that was away reloads everything anyway. With
   * `text`, the tab whose text changed.
   */
  const changedFor = (
    accountId: string,
    userIds: readonly string[],
    text: { tabId: string; revision: number } | null = null,
  ) => {
    for (const userId of userIds)
      events.emit('announced', { seq: 0, accountId, userId, type: CHANGED, data: text })
  }

  /** A new query begins where another one is, which may be a sample in a database that its reader cannot see. */
  async function withSeenPlace(actor: Actor, draft: TabDraft): Promise<TabDraft> {
    const { catalog, database } = draft
    if (database === '') return draft
    const place = { catalog: catalog || DEFAULT_CATALOG, database }
    return (await seesDatabase(actor, place)) ? draft : { ...draft, catalog: '', database: '' }
  }

  const changed = ({ accountId, userId }: Actor) => changedFor(accountId, [userId])

  /** Its owner, and all who have it open. */
  async function textChanged(tab: SeenTab, revision: number): Promise<void> {
    const { tab_id: tabId, user_id: owner, account_id: accountId } = tab
    changedFor(accountId, [owner, ...(await store.readersOf({ tabId }, MOST_NOTIFIED))], { tabId, revision })
  }

  async function commentsChanged({ tab_id: tabId, user_id: owner, account_id: accountId }: SeenTab) {
    const users = new Set([owner, ...(await store.readersOf({ tabId }, MOST_NOTIFIED))])
    for (const userId of users)
      events.emit('announced', { seq: 0, accountId, userId, type: COMMENTED, data: { tabId } })
  }

  const { grown, changeUnlessSample, save } = createTabSaving({ store, clock, find, textChanged })
  const folders = createFolders({ store, clock, changed })
  const presence = createPresence({ clock, events, find })

  return {
    ...createBin({ store, clock, changed, find }),

    folders,

    /** Their own whose text contains this, without very long ones; for what a name means, somebody reads them. */
    naming: (actor: Actor, name: string) => store.tabsNaming(actor.userId, name),

    recent: async (actor: Actor, most: number) =>
      (await store.recentTabs(actor.userId, most)).map(presentRecent),

    sharing: createSharing({ store, clock, changedFor, accessChanged: presence.forget }),

    live: createLive({ store, clock, find, grown, textChanged }),

    present: presence.present,

    comments: createComments({ store, clock, find, commentsChanged }),

    snippets: createSnippets(store),

    listTabTree: async (actor: Actor) =>
      buildTree({
        folders: await store.folders(actor.userId),
        tabs: await store.tabs(actor.userId),
        shared: await store.openShared(readerOf(actor), LIMITS.openSharedQueries),
        sharedIds: await store.sharedIds(actor.userId),
      }),

    /** With an id that is known already, nothing is made: the tab is answered as it is, out of the bin if it was there. */
    async createTab(actor: Actor, given: TabDraft): Promise<EditorTab> {
      const tabId = given.tabId ?? randomUUID()
      const draft = await withSeenPlace(actor, given)
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

    /**
     * What may run as its owner while they do not look: their own query, with nothing in it that somebody else has changed
     * and they have not run since.
     */
    async tabOfOwner(actor: Actor, tabId: string): Promise<EditorTab> {
      const tab = await find(actor, tabId)
      if (tab.access !== 'own') throw noSuchTab()
      if (tab.changed_by_others)
        throw new AppError(
          'Conflict',
          'Somebody with whom you share this query has changed it. Check the text and run it once: then it runs on its schedule again.',
        )
      return presentTab(tab)
    },

    /** Whether the place exists is checked when the tab uses it: it can be dropped and recreated in between. */
    async updateTabDatabase(actor: Actor, { tabId, catalog, database }: Place) {
      const place = { catalog: catalog || null, database: database || null }
      if (!(await store.updatePlace(actor.userId, tabId, place))) throw noSuchTab()
    },

    updateTabChart: (actor: Actor, { tabId, chart }: { tabId: string; chart: ResultLook }) =>
      changeUnlessSample(actor, tabId, (own, tab) => own.updateChart(tab.user_id, tabId, chart)),

    updateTabParameters: (
      actor: Actor,
      { tabId, parameters }: { tabId: string; parameters: readonly Parameter[] },
    ) =>
      changeUnlessSample(actor, tabId, (own, { user_id: userId, access, changed_by_others }) =>
        own.updateParameters(
          { userId, tabId, isByOthers: access !== 'own' || changed_by_others },
          parameters,
        ),
      ),

    async updateTabName(actor: Actor, { tabId, tabName }: Pick<EditorTab, 'tabId' | 'tabName'>) {
      const isOwn = await grown(actor, tabId, (own) => own.rename(actor.userId, tabId, tabName))
      if (!isOwn) throw noSuchTab()
      changed(actor)
    },

    updateSql: (actor: Actor, change: TextSave) => save(actor, change, false),

    versions: createVersions({ store, clock, find, save }),

    ...createOpenTabs({ store, clock, find, changed }),
  }
}

export type Editor = ReturnType<typeof createEditor>
