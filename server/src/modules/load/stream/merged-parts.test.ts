import { once } from 'node:events'
import { load as loadCalls, query } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { filesOf, rowsIn } from '../../../testing/load-kit.ts'
import { startApp } from '../../../testing/start-app.ts'
import { begun, streamed } from '../../../testing/stream-kit.ts'

async function started() {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  await rowsIn(admin, 'CREATE TABLE main.t (id BIGINT, name VARCHAR)')
  const statements = async () => {
    await app.endsWritten()
    const { entries } = (await admin.call(query.history, { limit: 100 })).data
    return entries.filter(({ sql }) => sql.startsWith('STREAM LOAD'))
  }
  return { app, admin, statements }
}

/** They wait for one another. */
const TOGETHER = { column_separator: ',', enable_merge_commit: 'true', merge_commit_interval_ms: '2000' }
const ROWS = 3_000
/** Too large to be kept in memory. */
const rowsOf = (id: number) => `${id},${'x'.repeat(60)}\n`.repeat(ROWS)

test('loads that are too large for one file are parts of one transaction, each with its own numbers and failure', async () => {
  const { app, admin, statements } = await started()
  const send = (at: number) => {
    const label = { label: `part-${at}` }
    if (at % 4 === 0)
      return streamed(app, `id,name\n${rowsOf(at)}`, { headers: { ...TOGETHER, skip_header: '1' } })
    if (at % 4 === 1)
      return streamed(app, rowsOf(at), { headers: { ...TOGETHER, ...label, where: `id <> ${at}` } })
    if (at % 4 === 2)
      return streamed(app, `${rowsOf(at)}x,y\n`, {
        headers: { ...TOGETHER, ...label, strict_mode: 'true', max_filter_ratio: '0.5' },
      })
    return streamed(app, rowsOf(at), { headers: { ...TOGETHER, ...label } })
  }
  const answers = await Promise.all(Array.from({ length: 24 }, (_, at) => send(at)))
  const saying = [
    'Success 3000 3000 0 0',
    'Success 3000 0 0 3000',
    'Success 3001 3000 1 0',
    'Success 3000 3000 0 0',
  ]
  for (const [at, { body }] of answers.entries()) {
    const { Status, NumberTotalRows, NumberLoadedRows, NumberFilteredRows, NumberUnselectedRows } = body
    expect(
      [Status, NumberTotalRows, NumberLoadedRows, NumberFilteredRows, NumberUnselectedRows].join(' '),
    ).toBe(saying[at % 4])
    expect(body.ErrorURL !== undefined).toBe(at % 4 === 2)
  }
  expect(await rowsIn(admin, 'SELECT count(*), count(DISTINCT id) FROM main.t')).toEqual([['54000', '18']])
  expect((await statements()).length).toBeLessThan(24)
  const { list } = (await admin.call(loadCalls.list, { limit: 100 })).data
  expect(list.map(({ state, rowsLoaded }) => `${state} ${rowsLoaded}`).toSorted()).toEqual(
    Array.from({ length: 24 }, (_, at) => `finished ${at < 6 ? 0 : ROWS}`),
  )
  const again = { headers: { ...TOGETHER, label: 'part-3' } }
  expect((await streamed(app, rowsOf(3), again)).body.Status).toBe('Label Already Exists')
  expect(await filesOf(app)).toEqual([])
})

test('one that cannot be loaded fails alone, and the others of its transaction are loaded once', async () => {
  const { app, admin } = await started()
  const bodies = [rowsOf(1), `${rowsOf(2)}no number,2\n`, rowsOf(3), rowsOf(4)]
  const headers = { ...TOGETHER, strict_mode: 'true' }
  const answers = await Promise.all(
    bodies.map((body, at) => streamed(app, body, { headers: { ...headers, label: `one-${at}` } })),
  )
  expect(answers.map(({ body }) => body.Status)).toEqual(['Success', 'Fail', 'Success', 'Success'])
  expect(answers[1]?.body).toMatchObject({
    NumberTotalRows: 3_001,
    NumberFilteredRows: 1,
    NumberLoadedRows: 0,
  })
  expect(await rowsIn(admin, 'SELECT id, count(*) FROM main.t GROUP BY id ORDER BY id')).toEqual([
    ['1', '3000'],
    ['3', '3000'],
    ['4', '3000'],
  ])
  expect(await filesOf(app)).toEqual([])
})

test('one that is cancelled while they run ends alone, and the others are loaded once', async () => {
  const { app, admin } = await started()
  const labels = ['first', 'stopped', 'last']
  const begin = async (label: string) => {
    const one = await begun(app, { headers: { ...TOGETHER, label, expect: '100-continue' } })
    one.request.flushHeaders()
    await once(one.request, 'continue')
    return one
  }
  const sent = await Promise.all(labels.map(begin))
  app.engines.hold()
  for (const { request } of sent) request.end(rowsOf(1))
  await expect.poll(() => app.engines.heldStatements()).toBe(1)
  await rowsIn(admin, "CANCEL LOAD FROM main WHERE LABEL = 'stopped'")
  app.engines.release()
  const answers = await Promise.all(sent.map(({ answer }) => answer))
  expect(answers.map(({ body }) => body.Status)).toEqual(['Success', 'Fail', 'Success'])
  expect(answers[1]?.body.Message).toBe('The load was cancelled. Nothing was loaded.')
  expect(await rowsIn(admin, 'SELECT count(*) FROM main.t')).toEqual([[String(2 * ROWS)]])
  expect(await filesOf(app)).toEqual([])
})
