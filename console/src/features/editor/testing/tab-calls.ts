import type { EditorTab } from '@boathouse/contract/editor'
import { refuse } from '../../../testing/stub-server.ts'
import type { StubHandlers } from '../../../testing/stub-server.ts'
import type { EditorState } from './editor-state.ts'

const FOLDER = '55555555-5555-4555-8555-555555555555'
export const ORDERS = '11111111-1111-4111-8111-111111111111'
export const PARTS = '22222222-2222-4222-8222-222222222222'

export interface SavedText {
  name: string
  sql: string
  revision: number
  sample?: boolean
  hidden?: boolean
  position?: number
  closedAt?: string
}

interface Parts {
  readonly tabs: Map<string, SavedText>
  readonly bin: ({ tabId: string } & SavedText)[]
  readonly state: Pick<EditorState, 'untilCreated' | 'refusesTabs'>
}

/** Calls about saved queries and the bin. */
export function tabCalls({ tabs, bin, state }: Parts): StubHandlers {
  const saved = (tabId: string): SavedText => {
    const tab = tabs.get(tabId)
    if (!tab) throw new Error(`The test's server has no tab ${tabId}.`)
    return tab
  }
  const detail = (tabId: string): EditorTab => {
    const { name, sql, revision, sample = false, hidden = false } = saved(tabId)
    const place = {
      parentFolderName: '',
      catalog: '',
      database: '',
      active: false,
      access: 'own' as const,
      owner: 'ann',
    }
    return { tabId, tabName: name, sql, revision, sample, hidden, chart: null, parameters: [], ...place }
  }
  const entry = (tabId: string, parentId: string) => {
    const { name, sample = false, hidden = false, position = 1, closedAt = '' } = saved(tabId)
    return {
      bizId: tabId,
      tabName: name,
      parentId,
      parentFolderName: '',
      hidden,
      active: tabId === PARTS,
      sample,
      position,
      closedAt,
      isShared: false,
    }
  }
  return {
    ...binCalls({ tabs, bin }, { saved, detail }),
    'editor.listTabTree': () => ({
      folders: tabs.has(ORDERS)
        ? [
            {
              bizId: FOLDER,
              folder: 'Samples',
              parentId: '',
              parentFolderName: '',
              isShared: false,
              tabs: [entry(ORDERS, FOLDER)],
              children: [],
            },
          ]
        : [],
      shared: [],
      tabs: [...tabs.keys()].filter((id) => id !== ORDERS).map((id) => entry(id, '')),
    }),
    'editor.tabDetail': ({ tabId }) =>
      tabs.has(tabId) ? detail(tabId) : refuse('NotFound', 'This query does not exist.'),
    'editor.activeTab': ({ tabId }) => {
      if (tabs.has(tabId)) tabs.set(tabId, { ...saved(tabId), hidden: false })
      return {}
    },
    'editor.createTab': async ({ tabName, sql, tabId = crypto.randomUUID() }) => {
      await state.untilCreated
      if (state.refusesTabs) return refuse('LimitReached', 'There are too many queries.')
      tabs.set(tabId, { name: tabName, sql, revision: 1, position: tabs.size + 1 })
      return detail(tabId)
    },
    'editor.hideTab': ({ tabId }) => {
      tabs.set(tabId, { ...saved(tabId), hidden: true, closedAt: '2026-01-01T00:00:00Z' })
      return {}
    },
    'editor.updateTabName': ({ tabId, tabName }) => {
      tabs.set(tabId, { ...saved(tabId), name: tabName })
      return {}
    },
    'editor.orderTabs': ({ tabIds }) => {
      tabIds.forEach((tabId, at) => tabs.set(tabId, { ...saved(tabId), position: at + 1 }))
      return {}
    },
    'editor.createTabFolder': () => ({ folderId: crypto.randomUUID() }),
    'editor.updateTabFolder': () => ({}),
    'editor.changeTabFolder': () => ({}),
    'editor.changeTabFolderParent': () => ({}),
    'editor.deleteTabFolder': () => ({ deleted: 1 }),
    'editor.updateSql': ({ tabId, sql, revision }) => {
      const tab = saved(tabId)
      if (tab.revision !== revision) return refuse('Conflict', 'changed elsewhere')
      tabs.set(tabId, { ...tab, sql, revision: revision + 1 })
      return { revision: revision + 1 }
    },
    'editor.markRun': () => ({}),
    'editor.updateTabDatabase': () => ({}),
    'editor.updateTabChart': () => ({}),
    'editor.updateTabParameters': () => ({}),
  }
}

interface Lookup {
  readonly saved: (tabId: string) => SavedText
  readonly detail: (tabId: string) => EditorTab
}

const binCalls = ({ tabs, bin }: Pick<Parts, 'tabs' | 'bin'>, { saved, detail }: Lookup): StubHandlers => ({
  'editor.deleteTabs': ({ tabIds }) => {
    for (const tabId of tabIds) {
      bin.unshift({ tabId, ...saved(tabId) })
      tabs.delete(tabId)
    }
    return { deleted: tabIds.length }
  },
  'editor.listDeletedTabs': () => ({
    list: bin.map(({ tabId, name, sql }) => ({
      tabId,
      tabName: name,
      sql,
      deletedAt: '2026-01-02T00:00:00Z',
    })),
    total: bin.length,
  }),
  'editor.restoreTab': ({ tabId }) => {
    const [found] = bin.splice(
      bin.findIndex((one) => one.tabId === tabId),
      1,
    )
    if (!found) return refuse('NotFound', 'This query does not exist.')
    tabs.set(tabId, { ...found, hidden: false })
    return detail(tabId)
  },
})
