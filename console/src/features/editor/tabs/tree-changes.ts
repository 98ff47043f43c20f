import type { SavedFolder, SavedTab } from '@boathouse/contract/editor'
import type { SavedTree } from './query-tree.ts'

/** Every tab of the tree as `change` makes it; null takes it away. */
export function changeTabs(tree: SavedTree, change: (tab: SavedTab) => SavedTab | null): SavedTree {
  const tabsOf = (tabs: readonly SavedTab[]) => tabs.flatMap((tab) => change(tab) ?? [])
  const folderOf = (folder: SavedFolder): SavedFolder => ({
    ...folder,
    tabs: tabsOf(folder.tabs),
    children: folder.children.map(folderOf),
  })
  return { folders: tree.folders.map(folderOf), tabs: tabsOf(tree.tabs), shared: tabsOf(tree.shared) }
}

export const changeTab = (tree: SavedTree, tabId: string, change: Partial<SavedTab>): SavedTree =>
  changeTabs(tree, (tab) => (tab.bizId === tabId ? { ...tab, ...change } : tab))

export interface ListedFolder {
  readonly id: string
  readonly name: string
  /** From the top to itself. */
  readonly path: readonly string[]
  /** Itself and all above it. */
  readonly ids: readonly string[]
  readonly tabs: number
}

/** All folders in the order of the tree, with how many tabs are in each and below it. */
export function listFolders({ folders }: Pick<SavedTree, 'folders'>): ListedFolder[] {
  const countIn = (folder: SavedFolder): number =>
    folder.tabs.length + folder.children.reduce((sum, child) => sum + countIn(child), 0)
  const list = (own: readonly SavedFolder[], above: Pick<ListedFolder, 'path' | 'ids'>): ListedFolder[] =>
    own.flatMap((folder) => {
      const path = [...above.path, folder.folder]
      const ids = [...above.ids, folder.bizId]
      const listed = { id: folder.bizId, name: folder.folder, path, ids, tabs: countIn(folder) }
      return [listed, ...list(folder.children, { path, ids })]
    })
  return list(folders, { path: [], ids: [] })
}
