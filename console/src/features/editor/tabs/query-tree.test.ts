import type { SavedFolder, SavedTab } from '@boathouse/contract/editor'
import { describe, expect, test } from 'vitest'
import { filterTree, nextUntitled, tabsIn, tabToOpen, treeRows } from './query-tree.ts'

const tab = (bizId: string, over: Partial<SavedTab> = {}): SavedTab => ({
  bizId,
  tabName: bizId,
  parentFolderName: '',
  parentId: '',
  hidden: false,
  active: false,
  sample: false,
  position: 0,
  closedAt: '',
  isShared: false,
  ...over,
})
const folder = (bizId: string, over: Partial<SavedFolder> = {}): SavedFolder => ({
  bizId,
  folder: bizId,
  parentId: '',
  parentFolderName: '',
  isShared: false,
  tabs: [],
  children: [],
  ...over,
})

const TREE = {
  shared: [],
  folders: [
    folder('Samples', {
      tabs: [tab('Orders'), tab('Revenue')],
      children: [folder('Deep', { tabs: [tab('Parts')] })],
    }),
  ],
  tabs: [tab('Loose')],
}
const names = (rows: ReturnType<typeof treeRows>) =>
  rows.map((row) => `${'  '.repeat(row.level - 1)}${row.name}`)

const filtered = (text: string) => names(treeRows(filterTree(TREE, text), new Set()))

describe('the tree of saved queries', () => {
  test('shows folders with their tabs, each with its place among its siblings [EDITOR-03]', () => {
    const rows = treeRows(TREE, new Set())
    expect(names(rows)).toEqual(['Samples', '  Deep', '    Parts', '  Orders', '  Revenue', 'Loose'])
    expect(rows[3]).toMatchObject({ kind: 'tab', level: 2, posInSet: 2, setSize: 3, parentId: 'Samples' })
  })

  test('hides what is in a closed folder', () => {
    expect(names(treeRows(TREE, new Set(['Deep'])))).toEqual([
      'Samples',
      '  Deep',
      '  Orders',
      '  Revenue',
      'Loose',
    ])
    expect(names(treeRows(TREE, new Set(['Samples'])))).toEqual(['Samples', 'Loose'])
  })

  test('filtered, keeps the folders that lead to a match, and whole folders that match themselves', () => {
    expect(filtered('PART')).toEqual(['Samples', '  Deep', '    Parts'])
    expect(filtered('deep')).toEqual(['Samples', '  Deep', '    Parts'])
    expect(filtered('nothing')).toEqual([])
    expect(filtered('')).toHaveLength(6)
  })

  test('opens the tab of the address, else the one last used, else the first', () => {
    expect(tabToOpen(TREE, 'Revenue')?.bizId).toBe('Revenue')
    expect(tabToOpen(TREE, 'gone')?.bizId).toBe('Parts')
    const used = { ...TREE, tabs: [tab('Loose', { active: true })] }
    expect(tabToOpen(used, null)?.bizId).toBe('Loose')
    expect(tabToOpen({ folders: [], tabs: [], shared: [] }, null)).toBeUndefined()
  })

  test('names a new query with the lowest free number', () => {
    const tree = { folders: [folder('f', { tabs: [tab('Untitled 1')] })], tabs: [tab('Untitled 3')] }
    expect(nextUntitled(tree, (number) => `Untitled ${number}`)).toBe('Untitled 2')
  })
})

test('the tabs of a folder are those in it and below it', () => {
  expect(tabsIn(TREE, 'Samples').toSorted()).toEqual(['Orders', 'Parts', 'Revenue'])
  expect(tabsIn(TREE, 'Deep')).toEqual(['Parts'])
  expect(tabsIn(TREE, 'gone')).toEqual([])
})
