import { CONSOLE_MARKER, query } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { startApp } from '../../../testing/start-app.ts'

test('what the console sends automatically is stored, and not listed in the history [EDITOR-41]', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const channel = await admin.channel()
  const own = [
    `SHOW ${CONSOLE_MARKER} VARIABLES`,
    `SET ${CONSOLE_MARKER} WAREHOUSE "default_warehouse"`,
    `USE ${CONSOLE_MARKER} "default_catalog"."main"`,
    `SET ${CONSOLE_MARKER} CATALOG "default_catalog"`,
    `set ${CONSOLE_MARKER} sql_select_limit=1000`,
  ]
  const answers = await channel.run([...own, 'SELECT 1'].join(';\n'))
  expect(answers.map(({ errMsg }) => errMsg)).toEqual(['', '', '', '', '', ''])
  const listed = (await admin.call(query.history, {})).data.entries
  expect(listed.map(({ sql }) => sql)).toEqual(['SELECT 1'])
  const stored = await app.store.db
    .selectFrom('statements')
    .select(['sql', 'visible'])
    .orderBy('statement_index')
    .execute()
  expect(stored.filter(({ visible }) => !visible).map(({ sql }) => sql)).toEqual(own)
  // They can still be read by their id.
  const { data } = await admin.call(query.detail, { queryId: answers[0]?.queryId ?? '' })
  expect(data.entry.sql).toBe(own[0])
})

test.each([
  ['anywhere else', `SHOW VARIABLES ${CONSOLE_MARKER} LIKE 'x'`],
  ['in another spelling', 'SHOW /* boathouse console */ VARIABLES'],
  ['in a statement that the console never sends automatically', `CREATE ${CONSOLE_MARKER} TABLE t (n int)`],
  ['in a statement that reads data', `SELECT ${CONSOLE_MARKER} 1`],
])('the marker hides nothing %s', async (_, sql) => {
  const app = await startApp()
  const admin = await app.admin()
  await (await admin.channel()).run(sql)
  const { entries } = (await admin.call(query.history, {})).data
  expect(entries.map((entry) => entry.sql)).toEqual([sql])
})
