import { randomUUID } from 'node:crypto'
import { CODES, query } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { startApp } from '../../../testing/start-app.ts'

const HALF = '\ud800'

test.each([
  ['half a character in a function', `SELECT read_${HALF}(1)`],
  ['half a character in a warehouse', `SET WAREHOUSE "${HALF}"`],
  ['half a character in a variable', `SET time_zone = '${HALF}'`],
  ['half a character in a value', `SELECT '${HALF}' AS x`],
  ['half a character in a column', `SELECT 1 AS "x${HALF}"`],
  ['half a character in a table', `SELECT * FROM "${HALF}"`],
  ['U+0000 in an error', `SELECT error('a' || chr(0) || 'b')`],
])('%s: the end is answered, recorded, and answered again', async (_, sql) => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const channel = await admin.channel()
  const requestId = randomUUID()
  const [first] = await channel.run(sql, { requestId })
  expect(first?.errCode).not.toBe(CODES.Internal.code)
  const { entries } = (await admin.call(query.history, {})).data
  expect(entries.map(({ state }) => state)).toEqual([
    first?.errCode === CODES.Ok.code ? 'finished' : 'failed',
  ])
  const [again] = await channel.run(sql, { requestId })
  expect(again).toMatchObject({ errCode: first?.errCode, errMsg: first?.errMsg, queryId: first?.queryId })
})
