import type { SavedTab } from '@boathouse/contract/editor'
import { allTabs, openableTabs } from './query-tree.ts'
import type { SavedTree } from './query-tree.ts'

/** Those in the row of tabs, from left to right. */
export const openTabs = (tree: SavedTree): SavedTab[] =>
  openableTabs(tree)
    .filter((tab) => !tab.hidden)
    .toSorted((one, other) => one.position - other.position)

/** Which one is looked at when `tabId` is closed: the one to its right, else to its left; null: it was the last. */
export function neighbourOf(open: readonly SavedTab[], tabId: string): SavedTab | null {
  const at = open.findIndex((tab) => tab.bizId === tabId)
  return at === -1 ? (open.at(-1) ?? null) : (open[at + 1] ?? open[at - 1] ?? null)
}

/** The one that was closed last; null: none was. */
export const lastClosed = (tree: SavedTree): SavedTab | null =>
  allTabs(tree)
    .filter((tab) => tab.hidden && tab.closedAt !== '')
    .toSorted((one, other) => other.closedAt.localeCompare(one.closedAt))[0] ?? null

/** The ids in their new order when `moved` is put where `target` is. */
export function reordered(ids: readonly string[], moved: string, target: string): string[] {
  const to = ids.indexOf(target)
  const rest = ids.filter((id) => id !== moved)
  return to === -1 || rest.length === ids.length ? [...ids] : [...rest.slice(0, to), moved, ...rest.slice(to)]
}
