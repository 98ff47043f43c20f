import { expect, test } from 'vitest'
import { columnsOfExisting, columnsOfNew, withColumn } from './chosen-columns.ts'

const FOUND = [
  { name: 'Id', type: 'BIGINT' },
  { name: 'note', type: 'VARCHAR' },
  { name: '', type: 'DATE' },
]

test('a new table has all detected columns, each under a name of its own', () => {
  expect(columnsOfNew([...FOUND, { name: 'id', type: 'DOUBLE' }])).toEqual([
    { name: 'Id', type: 'BIGINT', into: 'Id' },
    { name: 'note', type: 'VARCHAR', into: 'note' },
    { name: '', type: 'DATE', into: 'column_3' },
    { name: 'id', type: 'DOUBLE', into: 'id_2' },
  ])
})

test('columns of a table that is there are found by name, whatever the letter case, and each once', () => {
  const table = [
    { name: 'ID', type: 'INTEGER' },
    { name: 'other', type: 'TEXT' },
  ]
  expect(columnsOfExisting([...FOUND, { name: 'id', type: 'DOUBLE' }], table)).toEqual([
    { name: 'Id', type: 'INTEGER', into: 'ID' },
    { name: 'note', type: 'VARCHAR', into: null },
    { name: '', type: 'DATE', into: null },
    { name: 'id', type: 'DOUBLE', into: null },
  ])
})

test('one column is changed and the others stay', () => {
  const columns = columnsOfNew(FOUND)
  expect(withColumn(columns, 1, { into: null })).toEqual([
    columns[0],
    { ...columns[1], into: null },
    columns[2],
  ])
})
