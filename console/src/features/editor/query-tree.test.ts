import type { SavedFolder, SavedTab } from '@boathouse/contract'
import { describe, expect, test } from 'vitest'
import { filterTree, nextUntitled, tabToOpen, treeKey, treeRows } from './query-tree.ts'

const tab = (bizId: string, over: Partial<SavedTab> = {}): SavedTab => ({
  bizId,
  tabName: bizId,
  parentFolderName: '',
  parentId: '',
  hidden: false,
  active: false,
  ...over,
})
const folder = (bizId: string, over: Partial<SavedFolder> = {}): SavedFolder => ({
  bizId,
  folder: bizId,
  parentId: '',
  parentFolderName: '',
  tabs: [],
  children: [],
  ...over,
})

const TREE = {
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
    expect(tabToOpen({ folders: [], tabs: [] }, null)).toBeUndefined()
  })

  test('names a new query with the lowest free number', () => {
    const tree = { folders: [folder('f', { tabs: [tab('Untitled 1')] })], tabs: [tab('Untitled 3')] }
    expect(nextUntitled(tree, (number) => `Untitled ${number}`)).toBe('Untitled 2')
  })
})

describe('the keys of the tree', () => {
  const rows = treeRows(TREE, new Set())
  const press = (index: number, key: string) => treeKey(rows, index, key)

  test('arrows, Home and End move, and stop at the ends', () => {
    expect(press(0, 'ArrowDown')).toEqual({ kind: 'focus', index: 1 })
    expect(press(0, 'ArrowUp')).toEqual({ kind: 'focus', index: 0 })
    expect(press(1, 'End')).toEqual({ kind: 'focus', index: 5 })
    expect(press(5, 'ArrowDown')).toEqual({ kind: 'focus', index: 5 })
    expect(press(5, 'Home')).toEqual({ kind: 'focus', index: 0 })
  })

  test('left closes a folder or goes to the parent, right opens it or goes in', () => {
    expect(press(0, 'ArrowLeft')).toEqual({ kind: 'toggle', id: 'Samples' })
    expect(press(2, 'ArrowLeft')).toEqual({ kind: 'focus', index: 1 })
    expect(press(5, 'ArrowLeft')).toBeNull()
    expect(press(0, 'ArrowRight')).toEqual({ kind: 'focus', index: 1 })
    expect(treeKey(treeRows(TREE, new Set(['Samples'])), 0, 'ArrowRight')).toMatchObject({ kind: 'toggle' })
    expect(press(2, 'ArrowRight')).toBeNull()
  })

  test('a letter goes to the next name that begins with it, around the end', () => {
    expect(press(0, 'r')).toEqual({ kind: 'focus', index: 4 })
    expect(press(4, 'D')).toEqual({ kind: 'focus', index: 1 })
    expect(press(0, 'z')).toBeNull()
    expect(press(0, 'Escape')).toBeNull()
  })
})
