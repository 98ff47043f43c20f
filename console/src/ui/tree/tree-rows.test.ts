import { describe, expect, test } from 'vitest'
import { treeKey, typeAhead } from './tree-rows.ts'
import type { TreeRow } from './tree-rows.ts'

type Given = readonly [name: string, parentId: string, expanded: boolean | null]

const rowOf = ([name, parentId, expanded]: Given): TreeRow => {
  const place = { level: 1, posInSet: 1, setSize: 1 }
  return { id: name, name, parentId, expanded, ...place }
}

const rows = (
  [
    ['Samples', '', true],
    ['Deep', 'Samples', true],
    ['Parts', 'Deep', null],
    ['Orders', 'Samples', null],
    ['Revenue', 'Samples', null],
    ['Loose', '', null],
  ] as const
).map(rowOf)

describe('the keys of a tree', () => {
  const press = (index: number, key: string) => treeKey(rows, index, key)

  test('arrows, Home and End move, and stop at the ends', () => {
    expect(press(0, 'ArrowDown')).toEqual({ kind: 'focus', index: 1 })
    expect(press(0, 'ArrowUp')).toEqual({ kind: 'focus', index: 0 })
    expect(press(1, 'End')).toEqual({ kind: 'focus', index: 5 })
    expect(press(5, 'ArrowDown')).toEqual({ kind: 'focus', index: 5 })
    expect(press(5, 'Home')).toEqual({ kind: 'focus', index: 0 })
    expect(press(0, 'Escape')).toBeNull()
  })

  test('left closes what is open or goes to the parent, right opens what is closed or goes in', () => {
    expect(press(0, 'ArrowLeft')).toEqual({ kind: 'toggle', id: 'Samples' })
    expect(press(2, 'ArrowLeft')).toEqual({ kind: 'focus', index: 1 })
    expect(press(5, 'ArrowLeft')).toBeNull()
    expect(press(0, 'ArrowRight')).toEqual({ kind: 'focus', index: 1 })
    expect(treeKey([rowOf(['Samples', '', false])], 0, 'ArrowRight')).toEqual({
      kind: 'toggle',
      id: 'Samples',
    })
    expect(press(2, 'ArrowRight')).toBeNull()
  })
})

describe('typing in a tree', () => {
  test('a letter goes to the next name that begins with it, around the end, and again to the one after', () => {
    expect(typeAhead(rows, 0, 'r')).toBe(4)
    expect(typeAhead(rows, 4, 'D')).toBe(1)
    expect(typeAhead(rows, 0, 'z')).toBeNull()
    const same = ['orders', 'ordinal', 'other'].map((name) => rowOf([name, '', null]))
    expect(typeAhead(same, 0, 'oo')).toBe(1)
  })

  test('several letters go to the name that begins with all of them, which may be this one', () => {
    const names = ['orders', 'ordinal', 'other'].map((name) => rowOf([name, '', null]))
    expect(typeAhead(names, 0, 'or')).toBe(0)
    expect(typeAhead(names, 0, 'ordi')).toBe(1)
    expect(typeAhead(names, 1, 'ot')).toBe(2)
  })
})
