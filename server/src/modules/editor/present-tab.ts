import { ResultLook, type EditorTab, Parameters, type SavedFolder, type SavedTab } from '@boathouse/contract'
import type { EditorStore } from './store.ts'
import type { SeenTab } from './tab-access.ts'

type FolderRow = Awaited<ReturnType<EditorStore['folders']>>[number]

type TabRow = Awaited<ReturnType<EditorStore['tabs']>>[number]

type SharedRow = Awaited<ReturnType<EditorStore['openShared']>>[number]

export type FullTabRow = NonNullable<Awaited<ReturnType<EditorStore['find']>>>

/** What an earlier version kept and this one does not know is as if it had never been. */
const chartOf = (kept: unknown): EditorTab['chart'] => ResultLook.safeParse(kept).data ?? null

const parametersOf = (kept: unknown): EditorTab['parameters'] => Parameters.safeParse(kept).data ?? []

export const presentRecent = (row: { tab_id: string; name: string; updated_at: Date }) => ({
  tabId: row.tab_id,
  tabName: row.name,
  changedAt: row.updated_at.toISOString(),
})

export const presentTab = (row: SeenTab): EditorTab => ({
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
  parameters: parametersOf(row.parameters),
  access: row.access,
  owner: row.owner,
})

const presentShared = (tab: SharedRow): SavedTab => ({
  bizId: tab.tab_id,
  tabName: tab.name,
  parentId: '',
  parentFolderName: '',
  hidden: tab.hidden,
  active: tab.active,
  sample: tab.sample,
  position: tab.position,
  closedAt: tab.closed_at?.toISOString() ?? '',
  isShared: true,
})

interface Listed {
  readonly folders: readonly FolderRow[]
  readonly tabs: readonly TabRow[]
  /** Of others. */
  readonly shared: readonly SharedRow[]
  /** Ids of own folders and tabs. */
  readonly sharedIds: ReadonlySet<string>
}

/** Folders contain tabs and other folders; a tab can be outside any folder. */
export function buildTree({ folders, tabs, shared, sharedIds }: Listed) {
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
        isShared: sharedIds.has(tab.tab_id),
      }))
  const foldersIn = (parentId: string | null): SavedFolder[] =>
    folders
      .filter((folder) => folder.parent_id === parentId)
      .map((folder) => ({
        bizId: folder.folder_id,
        folder: folder.name,
        parentId: parentId ?? '',
        parentFolderName: nameOf.get(parentId ?? '') ?? '',
        isShared: sharedIds.has(folder.folder_id),
        tabs: tabsIn(folder.folder_id),
        children: foldersIn(folder.folder_id),
      }))
  return { folders: foldersIn(null), tabs: tabsIn(null), shared: shared.map(presentShared) }
}
