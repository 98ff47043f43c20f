import { expect, test } from 'vitest'
import { readValueTree } from './value-tree.ts'

const leaf = (text: string) => ({ kind: 'leaf', text })

test('JSON becomes a tree whose leaves keep every digit and quote', () => {
  expect(readValueTree('{"a": [1.50, 9007199254740993, "x, ]"], "b": {}}')).toEqual({
    kind: 'members',
    items: [
      ['"a"', { kind: 'list', items: [leaf('1.50'), leaf('9007199254740993'), leaf('"x, ]"')] }],
      ['"b"', { kind: 'members', items: [] }],
    ],
  })
})

test('so do lists, structs and maps as engines write them', () => {
  expect(readValueTree(`{'name': it is, 'tags': [a, NULL]}`)).toEqual({
    kind: 'members',
    items: [
      [`'name'`, leaf('it is')],
      [`'tags'`, { kind: 'list', items: [leaf('a'), leaf('NULL')] }],
    ],
  })
  expect(readValueTree('{k1=1, k2=[]}')).toMatchObject({
    items: [
      ['k1', leaf('1')],
      ['k2', { items: [] }],
    ],
  })
})

test('what is not nested, or is cut off, is no tree', () => {
  for (const text of ['plain', '"text"', '{"a": 1', '[1, 2]]', '{"a"}', '[1 2', '', '[1,"x]'])
    expect(readValueTree(text)).toBeNull()
  expect(readValueTree('['.repeat(5000) + ']'.repeat(5000))).toBeNull()
})
