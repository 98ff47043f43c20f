import { expect, test } from 'vitest'
import { readStatement } from '../statement.ts'
import { readCancelLoad, readShowLoad } from './load-statements.ts'

const show = (sql: string) => readShowLoad(readStatement(sql))
const cancel = (sql: string) => readCancelLoad(readStatement(sql))

test('what is no SHOW LOAD or CANCEL LOAD as they are written is not read', () => {
  for (const sql of [
    'SHOW LOAD FROM',
    'SHOW LOAD FROM a.b.c',
    'SHOW LOAD WHERE',
    "SHOW LOAD WHERE LABEL = 'a' OR LABEL = 'b'",
    "SHOW LOAD WHERE LABEL = 'a' AND LABEL = 'b'",
    'SHOW LOAD WHERE LABEL = a',
    "SHOW LOAD WHERE USER = 'a'",
    'SHOW LOAD ORDER BY',
    'SHOW LOAD LIMIT',
    'SHOW LOAD LIMIT -1',
    'SHOW LOAD LIMIT 1 x',
  ])
    expect([sql, show(sql)]).toEqual([sql, null])
  for (const sql of [
    'CANCEL LOAD',
    'CANCEL LOAD FROM d',
    "CANCEL LOAD WHERE LABEL LIKE '%'",
    "CANCEL LOAD FROM d WHERE LABEL = 'a' AND STATE = 'LOADING'",
  ])
    expect([sql, cancel(sql)]).toEqual([sql, null])
})

test('SHOW LOAD is read with its database, conditions, order and limit', () => {
  expect(show('show load')).toEqual({ from: [], order: [], limit: null })
  expect(show("SHOW LOAD FROM c.`d` LIKE 'a%' LIMIT 5;")).toEqual({
    from: ['c', 'd'],
    like: 'a%',
    order: [],
    limit: 5,
  })
  expect(
    show("SHOW LOAD WHERE LABEL LIKE 'x' AND state = 'FINISHED' ORDER BY create_time DESC, label LIMIT 10"),
  ).toEqual({
    from: [],
    like: 'x',
    state: 'FINISHED',
    order: [
      { column: 'create_time', isDescending: true },
      { column: 'label', isDescending: false },
    ],
    limit: 10,
  })
})

test('CANCEL LOAD names one label', () => {
  expect(cancel("CANCEL LOAD FROM d WHERE LABEL = 'it''s'")).toEqual({ from: ['d'], label: "it's" })
  expect(cancel("cancel load where label = 'a'")).toEqual({ from: [], label: 'a' })
})
