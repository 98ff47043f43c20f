import {
  ChartSettings,
  type EditorTab,
  Parameters,
  type SavedFolder,
  type SavedTab,
} from '@boathouse/contract'
import type { EditorStore } from './store.ts'

type FolderRow = Awaited<ReturnType<EditorStore['folders']>>[number]

type TabRow = Awaited<ReturnType<EditorStore['tabs']>>[number]

export type FullTabRow = NonNullable<Awaited<ReturnType<EditorStore['find']>>>

/** What an earlier version kept and this one does not know is as if it had never been. */
const chartOf = (kept: unknown): EditorTab['chart'] => ChartSettings.safeParse(kept).data ?? null

const parametersOf = (kept: unknown): EditorTab['parameters'] => Parameters.safeParse(kept).data ?? []

export const presentRecent = (row: { tab_id: string; name: string; updated_at: Date }) => ({
  tabId: row.tab_id,
  tabName: row.name,
  changedAt: row.updated_at.toISOString(),
})

export const presentTab = (row: FullTabRow): EditorTab => ({
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
})

/** Folders contain tabs and other folders; a tab can be outside any folder. */
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
