import type { SavedFolder, SavedTab } from '@boathouse/contract'

export interface TreeRow {
  readonly id: string
  readonly kind: 'folder' | 'tab'
  readonly name: string
  /** Counted from 1, as are the two places below. */
  readonly level: number
  readonly posInSet: number
  readonly setSize: number
  readonly parentId: string
  readonly expanded: boolean
}

export interface SavedTree {
  readonly folders: readonly SavedFolder[]
  readonly tabs: readonly SavedTab[]
}

interface Level {
  readonly level: number
  readonly parentId: string
}

/** EDITOR-03: folders first, then tabs, each folder's content below it unless it is closed. */
export function treeRows(tree: SavedTree, closed: ReadonlySet<string>): TreeRow[] {
  const rowsOf = ({ folders, tabs }: SavedTree, at: Level): TreeRow[] => {
    const place = { ...at, setSize: folders.length + tabs.length }
    return [
      ...folders.flatMap((folder, index): TreeRow[] => {
        const expanded = !closed.has(folder.bizId)
        const below = { level: at.level + 1, parentId: folder.bizId }
        const own: TreeRow = {
          ...place,
          id: folder.bizId,
          kind: 'folder',
          name: folder.folder,
          posInSet: index + 1,
          expanded,
        }
        return [own, ...(expanded ? rowsOf({ folders: folder.children, tabs: folder.tabs }, below) : [])]
      }),
      ...tabs.map((tab, index): TreeRow => {
        const posInSet = folders.length + index + 1
        return { ...place, id: tab.bizId, kind: 'tab', name: tab.tabName, posInSet, expanded: false }
      }),
    ]
  }
  return rowsOf(tree, { level: 1, parentId: '' })
}

/** Tabs of all folders, in the order in which the tree shows them. */
export const allTabs = ({ folders, tabs }: SavedTree): SavedTab[] => [
  ...folders.flatMap((folder) => allTabs({ folders: folder.children, tabs: folder.tabs })),
  ...tabs,
]

const matches = (name: string, text: string): boolean => name.toLowerCase().includes(text.toLowerCase())

/** Folders stay as long as something in them is left, or they are what was looked for. */
export function filterTree(tree: SavedTree, text: string): SavedTree {
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
export function nextUntitled(tree: SavedTree, nameOf: (number: number) => string): string {
  const taken = new Set(allTabs(tree).map((tab) => tab.tabName))
  let number = 1
  while (taken.has(nameOf(number))) number++
  return nameOf(number)
}

/** Which tab the page opens with: the one in the address, else the one last used, else the first. */
export function tabToOpen(tree: SavedTree, wanted: string | null): SavedTab | undefined {
  const tabs = allTabs(tree)
  return tabs.find((tab) => tab.bizId === wanted) ?? tabs.find((tab) => tab.active) ?? tabs[0]
}

export type TreeMove =
  | { readonly kind: 'focus'; readonly index: number }
  | { readonly kind: 'toggle'; readonly id: string }

/** What a key does on the row at `index`, as trees do it; null: nothing. */
export function treeKey(rows: readonly TreeRow[], index: number, key: string): TreeMove | null {
  const row = rows[index]
  if (!row) return null
  const focus = (to: number): TreeMove => ({
    kind: 'focus',
    index: Math.max(0, Math.min(rows.length - 1, to)),
  })
  switch (key) {
    case 'ArrowDown':
      return focus(index + 1)
    case 'ArrowUp':
      return focus(index - 1)
    case 'Home':
      return focus(0)
    case 'End':
      return focus(rows.length - 1)
    case 'ArrowRight':
      if (row.kind !== 'folder') return null
      return row.expanded ? focus(index + 1) : { kind: 'toggle', id: row.id }
    case 'ArrowLeft':
      if (row.kind === 'folder' && row.expanded) return { kind: 'toggle', id: row.id }
      return row.parentId === '' ? null : focus(rows.findIndex((other) => other.id === row.parentId))
    default:
      return typeAhead(rows, index, key)
  }
}

function typeAhead(rows: readonly TreeRow[], index: number, key: string): TreeMove | null {
  if (key.length !== 1 || key === ' ') return null
  const after = [...rows.slice(index + 1), ...rows.slice(0, index + 1)]
  const found = after.find((row) => row.name.toLowerCase().startsWith(key.toLowerCase()))
  return found ? { kind: 'focus', index: rows.indexOf(found) } : null
}
