import { expect, test } from 'vitest'
import { columnsOfExisting, columnsOfNew, withParts } from './chosen-columns.ts'

const FOUND = [
  { name: 'Id', type: 'BIGINT' },
  { name: 'note', type: 'VARCHAR' },
  { name: '', type: 'DATE' },
]

test('a new table has all detected columns, each under a name of its own', () => {
  expect(columnsOfNew([...FOUND, { name: 'id', type: 'DOUBLE' }])).toEqual([
    { name: 'Id', type: 'BIGINT', into: 'Id', misfits: 'reject' },
    { name: 'note', type: 'VARCHAR', into: 'note', misfits: 'reject' },
    { name: '', type: 'DATE', into: 'column_3', misfits: 'reject' },
    { name: 'id', type: 'DOUBLE', into: 'id_2', misfits: 'reject' },
  ])
})

test('columns of a table that is there are found by name, whatever the letter case, and each once', () => {
  const table = [
    { name: 'ID', type: 'INTEGER' },
    { name: 'other', type: 'TEXT' },
  ]
  expect(columnsOfExisting([...FOUND, { name: 'id', type: 'DOUBLE' }], table)).toEqual([
    { name: 'Id', type: 'INTEGER', into: 'ID', misfits: 'reject' },
    { name: 'note', type: 'VARCHAR', into: null, misfits: 'reject' },
    { name: '', type: 'DATE', into: null, misfits: 'reject' },
    { name: 'id', type: 'DOUBLE', into: null, misfits: 'reject' },
  ])
})

test('one column is changed and the others stay', () => {
  const columns = columnsOfNew(FOUND)
  expect(withParts(columns, { 1: { into: null } })).toEqual([
    columns[0],
    { ...columns[1], into: null },
    columns[2],
  ])
})
