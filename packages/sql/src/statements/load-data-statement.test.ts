import { expect, test } from 'vitest'
import { kindOf, readStatement } from '../statement.ts'
import { readLoadData } from './load-data-statement.ts'

const read = (text: string) => readLoadData(readStatement(text))

test('a load of a file of the client is read with all its clauses', () => {
  const text = String.raw`LOAD DATA LOCAL INFILE '/tmp/x.csv' IGNORE INTO TABLE db.t CHARACTER SET utf8mb4
    FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '"' ESCAPED BY '\\' LINES STARTING BY '>' TERMINATED BY '\n'
    IGNORE 1 LINES (a, @x, b) SET c = upper(@x), d = 1;`
  expect(kindOf(text)).toBe('load-data')
  expect(read(text)).toMatchObject({
    isLocal: true,
    file: '/tmp/x.csv',
    onDuplicate: 'ignore',
    table: ['db', 't'],
    characterSet: 'utf8mb4',
    fields: { terminatedBy: ',', enclosedBy: '"' },
    lines: { startingBy: '>' },
    skipped: 1,
    columns: [
      { name: 'a', isVariable: false },
      { name: 'x', isVariable: true },
      { name: 'b', isVariable: false },
    ],
    set: [
      { name: 'c', expression: 'upper(@x)' },
      { name: 'd', expression: '1' },
    ],
  })
})

test('what is left out is null, and what cannot be read is refused as a whole', () => {
  expect(read("LOAD DATA INFILE 'x' INTO TABLE t")).toMatchObject({
    isLocal: false,
    onDuplicate: null,
    table: ['t'],
    columns: null,
    set: [],
    skipped: 0,
  })
  for (const text of [
    'LOAD DATA LOCAL INFILE x INTO TABLE t',
    "LOAD DATA LOCAL INFILE 'x' INTO t",
    "LOAD DATA LOCAL INFILE 'x' INTO TABLE t FIELDS TERMINATED ','",
    "LOAD DATA LOCAL INFILE 'x' INTO TABLE t IGNORE many LINES",
    "LOAD DATA LOCAL INFILE 'x' INTO TABLE t (a,",
    "LOAD DATA LOCAL INFILE 'x' INTO TABLE t SET a",
    "LOAD DATA LOCAL INFILE 'x' INTO TABLE t and more",
  ])
    expect([text, read(text)]).toEqual([text, null])
})
