import { lineage } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { HOURS } from '../../../testing/fake-clock.ts'
import { rowsIn } from '../../../testing/load-kit.ts'
import { startApp } from '../../../testing/start-app.ts'
import { basic, streamed } from '../../../testing/stream-kit.ts'

const ROWS = 300_000

test('a statement beside a load sees all of it or nothing, and the catalog may stand in front [REAL-02]', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  await rowsIn(admin, 'CREATE TABLE main.t (id BIGINT, name VARCHAR)')
  const body = Array.from({ length: ROWS }, (_, at) => `${at},row ${at}\n`).join('')
  const path = '/api/default_catalog/main/t/_stream_load'
  const state = { isOver: false }
  const load = streamed(app, body, { path, headers: { column_separator: ',' } }).finally(
    () => (state.isOver = true),
  )
  const seen = new Set<string>()
  do seen.add(String((await rowsIn(admin, 'SELECT count(*) FROM main.t'))?.[0]?.[0]))
  while (!state.isOver)
  expect((await load).body).toMatchObject({ Status: 'Success', NumberLoadedRows: ROWS })
  expect([...seen].filter((count) => count !== '0' && count !== String(ROWS))).toEqual([])
  expect(await rowsIn(admin, 'SELECT count(*) FROM main.t')).toEqual([[String(ROWS)]])
})

test('the page of a table says that a load changed it, who sent it, and under which statement', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  await rowsIn(admin, 'CREATE TABLE main.t (id BIGINT, name VARCHAR)')
  const sender = await app.user([])
  await rowsIn(admin, `GRANT INSERT ON TABLE main.t TO USER ${sender.name}`)
  app.clock.advance(1 * HOURS)
  const headers = { column_separator: ',', label: 'seen', authorization: basic(app, sender.name) }
  expect((await streamed(app, '1,a\n', { headers })).body.Status).toBe('Success')
  await app.endsWritten()
  const table = { catalog: 'default_catalog', databaseName: 'main', tableName: 't' }
  expect((await admin.call(lineage.facts, table)).data).toMatchObject({ changedBy: sender.name })
  const { list } = (await admin.call(lineage.statements, table)).data
  expect(list.map(({ entry, writes }) => [entry.sql, writes])).toContainEqual([
    `STREAM LOAD 'seen' INTO "default_catalog"."main"."t"`,
    true,
  ])
})
