import type { SavedFolder, SavedTab } from '@boathouse/contract/editor'
import type { TreeRow } from '../../../ui/tree/tree-rows.ts'

export interface QueryRow extends TreeRow {
  readonly kind: 'folder' | 'tab'
  /** Others have access to it. */
  readonly isShared: boolean
}

interface OwnTree {
  readonly folders: readonly SavedFolder[]
  readonly tabs: readonly SavedTab[]
}

export interface SavedTree extends OwnTree {
  /** Open queries of others. */
  readonly shared: readonly SavedTab[]
}

interface Level {
  readonly level: number
  readonly parentId: string
}

/** Folders first, then tabs, each folder's content below it unless it is closed. */
export function treeRows(tree: OwnTree, closed: ReadonlySet<string>): QueryRow[] {
  const rowsOf = ({ folders, tabs }: OwnTree, at: Level): QueryRow[] => {
    const place = { ...at, setSize: folders.length + tabs.length }
    return [
      ...folders.flatMap((folder, index): QueryRow[] => {
        const expanded = !closed.has(folder.bizId)
        const below = { level: at.level + 1, parentId: folder.bizId }
        const own: QueryRow = {
          ...place,
          id: folder.bizId,
          kind: 'folder',
          name: folder.folder,
          posInSet: index + 1,
          expanded,
          isShared: folder.isShared,
        }
        return [own, ...(expanded ? rowsOf({ folders: folder.children, tabs: folder.tabs }, below) : [])]
      }),
      ...tabs.map((tab, index): QueryRow => {
        const posInSet = folders.length + index + 1
        const { bizId: id, tabName: name, isShared } = tab
        return { ...place, id, kind: 'tab', name, posInSet, expanded: null, isShared }
      }),
    ]
  }
  return rowsOf(tree, { level: 1, parentId: '' })
}

/** Tabs of all folders, in the order in which the tree shows them. */
export const allTabs = ({ folders, tabs }: OwnTree): SavedTab[] => [
  ...folders.flatMap((folder) => allTabs({ folders: folder.children, tabs: folder.tabs })),
  ...tabs,
]

/** Those that can be open: all of the user, and those of others that are. */
export const openableTabs = (tree: SavedTree): SavedTab[] => [...allTabs(tree), ...tree.shared]

/** Others have access to this query of the user, because it is shared or one of its folders is. */
export function isCovered({ folders, tabs }: OwnTree, tabId: string): boolean {
  return (
    tabs.some(({ bizId, isShared }) => bizId === tabId && isShared) ||
    folders.some((folder) => {
      const inside = { folders: folder.children, tabs: folder.tabs }
      return folder.isShared ? allTabs(inside).some(({ bizId }) => bizId === tabId) : isCovered(inside, tabId)
    })
  )
}

/** Ids of the tabs in a folder and in those below it. */
export function tabsIn({ folders }: Pick<SavedTree, 'folders'>, folderId: string): string[] {
  return folders.flatMap((folder) =>
    folder.bizId === folderId
      ? allTabs({ folders: folder.children, tabs: folder.tabs }).map((tab) => tab.bizId)
      : tabsIn({ folders: folder.children }, folderId),
  )
}

const matches = (name: string, text: string): boolean => name.toLowerCase().includes(text.toLowerCase())

/** Folders stay as long as something in them is left, or they are what was looked for. */
export function filterTree(tree: OwnTree, text: string): OwnTree {
  if (text === '') return tree
  const filterFolder = (folder: SavedFolder): SavedFolder[] => {
    if (matches(folder.folder, text)) return [folder]
    const rest = filterTree({ folders: folder.children, tabs: folder.tabs }, text)
    const isEmpty = rest.folders.length === 0 && rest.tabs.length === 0
    return isEmpty ? [] : [{ ...folder, children: [...rest.folders], tabs: [...rest.tabs] }]
  }
  return {
    folders: tree.folders.flatMap(filterFolder),
    tabs: tree.tabs.filter((tab) => matches(tab.tabName, text)),
  }
}

/** The lowest number that no saved query has in its name yet. */
export function nextUntitled(tree: OwnTree, nameOf: (number: number) => string): string {
  const taken = new Set(allTabs(tree).map((tab) => tab.tabName))
  let number = 1
  while (taken.has(nameOf(number))) number++
  return nameOf(number)
}

/** Which tab the page opens with: the wanted one, else the one last used, else the first that is open. */
export function tabToOpen(tree: SavedTree, wanted: string | null): SavedTab | undefined {
  const tabs = openableTabs(tree)
  return (
    tabs.find((tab) => tab.bizId === wanted) ??
    tabs.find((tab) => tab.active && !tab.hidden) ??
    tabs.filter((tab) => !tab.hidden).toSorted((one, other) => one.position - other.position)[0]
  )
}
