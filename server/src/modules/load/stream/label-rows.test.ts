import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { startApp, type TestApp } from '../../../testing/start-app.ts'
import { createLabelRows, type NewStream } from './label-rows-store.ts'
import { CSV_READING } from './stream-format.ts'

/** The statements that were sent to the database are counted. */
async function started() {
  const app = await startApp()
  const sent: number[] = []
  const db = app.store.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      sent.push(result.rows.length)
      return result
    },
  })
  return { app, sent, take: createLabelRows(db), streamOf: await streamsOf(app) }
}

async function streamsOf({ store, accountId }: TestApp) {
  const { user_id: userId } = await store.db
    .selectFrom('users')
    .select('user_id')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return (label: string, more: Partial<NewStream> = {}): NewStream => ({
    taskId: randomUUID(),
    accountId,
    userId,
    userName: 'admin',
    label,
    table: { catalog: 'default_catalog', database: 'main', name: 't' },
    warehouse: { id: randomUUID(), name: 'default_warehouse' },
    part: { reading: CSV_READING, columns: [{ name: 'id', expression: null }] },
    requestId: null,
    sizeBytes: 0,
    at: new Date(0),
    ...more,
  })
}

test('labels of one moment are taken in few writes, and each of them once [REAL-02]', async () => {
  const { app, sent, take, streamOf } = await started()
  const all = Array.from({ length: 150 }, (_, at) => streamOf(`l-${at % 100}`))
  const ids = await Promise.all(all.map(take))
  const taken = ids.filter((id) => id !== undefined)
  expect(taken).toHaveLength(100)
  expect(new Set(taken).size).toBe(100)
  // One that came alone, then the hundred that came meanwhile, then the rest.
  expect(sent).toHaveLength(3)
  const rows = await app.store.db
    .selectFrom('load_tasks')
    .select(['label', 'transaction_id', 'task_id', 'reading', 'columns', 'state', 'error', 'rows_rejected'])
    .execute()
  expect(rows).toHaveLength(100)
  const [first] = rows.filter(({ label }) => label === 'l-0')
  expect(first).toMatchObject({
    task_id: all[0]?.taskId,
    transaction_id: ids[0],
    reading: CSV_READING,
    columns: [{ name: 'id', expression: null }],
    state: 'running',
    error: '',
    rows_rejected: 0,
  })
})

test('one whose user is gone takes no other with it', async () => {
  const { take, streamOf } = await started()
  const streams = [streamOf('a'), streamOf('b', { userId: randomUUID() }), streamOf('c')]
  const said = await Promise.allSettled(streams.map(take))
  expect(said.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('of two queues that take the same labels in one moment, each label is that of one of them [REAL-02]', async () => {
  const { app, streamOf } = await started()
  // As two processes would have, over one database.
  const queues = [createLabelRows(app.store.db), createLabelRows(app.store.db)]
  const labels = Array.from({ length: 300 }, (_, at) => `l-${at}`)
  const orders = [labels, labels.toReversed()]
  const [first = [], second = []] = await Promise.all(
    queues.map((take, at) => Promise.all((orders[at] ?? []).map((label) => take(streamOf(label))))),
  )
  const winners = labels.map((_, at) => [first[at], second.toReversed()[at]].filter((id) => id !== undefined))
  expect(winners.every(({ length }) => length === 1)).toBe(true)
  expect(new Set(winners.flat()).size).toBe(300)
})
