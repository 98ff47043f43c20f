import type { SavedFolder, SavedTab } from '@boathouse/contract/editor'

/** One result, and where it leads. */
export interface Hit {
  readonly key: string
  readonly name: string
  /** The type of a catalog, what and where something in one is, the folder of a query. */
  readonly hint: string
  readonly address: string
}

const MOST = 50

/** Letter case makes no difference; without a text there is nothing. */
export function matching(hits: readonly Hit[], text: string): readonly Hit[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return []
  return hits.filter(({ name }) => name.toLowerCase().includes(wanted)).slice(0, MOST)
}

interface Saved {
  readonly folders: readonly SavedFolder[]
  readonly tabs: readonly SavedTab[]
}

/** Saved queries of all folders. */
export const savedTabs = ({ folders, tabs }: Saved): readonly SavedTab[] => [
  ...tabs,
  ...folders.flatMap(({ children, tabs: inside }) => savedTabs({ folders: children, tabs: inside })),
]
