import { randomUUID } from 'node:crypto'
import { CODES, query, QUERY_STATES, type QueryRsp } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { DISK_FULL } from '../../kernel/disk-full.ts'
import { createLog } from '../../kernel/log.ts'
import { startApp, type TestApp } from '../../testing/start-app.ts'
import { EMPTY_RESULT } from './answers/answer.ts'
import { endedRow } from './history/ended-row.ts'
import { failed, finished } from './running/ending.ts'
import { createQueryStore } from './store.ts'
import { keepingUnwritten } from './unwritten.ts'

/** From now on PostgreSQL refuses these writes, with the code that it has for a full disk. */
async function fillDisk({ store }: TestApp, writes: string): Promise<{ makeRoom(): Promise<void> }> {
  await store.pool.query(`create or replace function no_room() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`)
  await store.pool.query(`create trigger full_disk before ${writes} execute function no_room()`)
  const table = / on (\w+)/.exec(writes)?.[1] ?? ''
  return { makeRoom: async () => void (await store.pool.query(`drop trigger full_disk on ${table}`)) }
}

const ENDS = 'update on statements for each row when (new.ended_at is not null)'

const setUp = async () => {
  const app = await startApp()
  const admin = await app.admin()
  const channel = await admin.channel()
  const [created] = await channel.run('CREATE TABLE t (n int)')
  const connId = created?.connId ?? 0
  const run = (sql: string, over: Partial<{ requestId: string }> = {}): Promise<QueryRsp[]> =>
    channel.run(sql, { connId, oriConnId: connId, ...over })
  const stateOf = async (requestId: string) => {
    const { entries } = (await admin.call(query.history, {})).data
    return entries.find((entry) => entry.requestId === requestId)?.state
  }
  return { app, run, stateOf, connId }
}

test('an end that cannot be written to a full disk is answered truly, and written when there is space again', async () => {
  const { app, run, stateOf } = await setUp()
  const disk = await fillDisk(app, ENDS)
  const requestId = randomUUID()
  const insert = 'INSERT INTO t VALUES (1)'
  const expected = [{ queryState: QUERY_STATES.Finished, errMsg: '', totalRows: 1 }]
  expect(await run(insert, { requestId })).toMatchObject(expected)
  expect(await stateOf(requestId)).toBe('running')
  expect(await run(insert, { requestId })).toMatchObject(expected)
  await disk.makeRoom()
  await expect.poll(() => stateOf(requestId), { timeout: 15_000 }).toBe('finished')
  expect((await run('SELECT count(*) FROM t'))[0]?.result).toEqual([['1']])
})

test('a request that the full disk keeps from being written down does not run, and says why', async () => {
  const { app, run } = await setUp()
  const disk = await fillDisk(app, 'insert on statements for each row')
  expect(await run('INSERT INTO t VALUES (1)')).toMatchObject([
    { queryState: QUERY_STATES.Failed, errCode: CODES.DiskFull.code, errMsg: DISK_FULL, queryId: '' },
  ])
  await disk.makeRoom()
  expect((await run('SELECT count(*) FROM t'))[0]?.result).toEqual([['0']])
})

test('a statement whose start the full disk refuses does not run, and its end is written', async () => {
  const { app, run, stateOf } = await setUp()
  await fillDisk(app, "update on statements for each row when (new.state = 'running')")
  const requestId = randomUUID()
  expect(await run('SELECT 1; INSERT INTO t VALUES (1)', { requestId })).toMatchObject([
    { queryState: QUERY_STATES.Finished },
    { queryState: QUERY_STATES.Failed, errCode: CODES.DiskFull.code, errMsg: DISK_FULL },
  ])
  expect(await stateOf(requestId)).toBe('failed')
  expect((await run('SELECT count(*) FROM t'))[0]?.result).toEqual([['0']])
})

test('where a statement left its connection holds, also while it cannot be written', async () => {
  const { app, run, connId } = await setUp()
  await run('CREATE DATABASE boats')
  await run('CREATE TABLE boats.oars (n int)')
  const disk = await fillDisk(app, 'update on connections for each row')
  await run('USE boats')
  await run("SET time_zone = 'Asia/Tokyo'")
  expect((await run('SELECT count(*) FROM oars'))[0]).toMatchObject({ result: [['0']], db: 'boats' })
  await disk.makeRoom()
  const written = async () =>
    app.store.db
      .selectFrom('connections')
      .select(['database_name', 'variables'])
      .where('connection_id', '=', connId)
      .executeTakeFirst()
  await expect
    .poll(written, { timeout: 15_000 })
    .toMatchObject({ database_name: 'boats', variables: { time_zone: 'Asia/Tokyo' } })
})

test('what is not written yet is tried once more at the close', async () => {
  const { app, run, stateOf } = await setUp()
  const requestId = randomUUID()
  const queryId = (await run('SELECT 1', { requestId }))[0]?.queryId ?? ''
  await app.endsWritten()
  await app.store.db.updateTable('statements').set({ state: 'running', ended_at: null }).execute()
  const store = keepingUnwritten(createQueryStore(app.store.db), createLog('silent'))
  const disk = await fillDisk(app, ENDS)
  await store.end(
    endedRow({ queryId, acceptedAt: app.clock.now() }, failed('QueryFailed', 'as a test has it'), {
      at: app.clock.now(),
      timeUsedMs: 1,
    }),
  )
  expect((await store.findRequest(app.accountId, requestId))[0]).toMatchObject({ state: 'failed' })
  expect(await stateOf(requestId)).toBe('running')
  await disk.makeRoom()
  await store.close()
  expect(await stateOf(requestId)).toBe('failed')
})

test('a reader of the end of a statement that was already answered waits until it is written', async () => {
  const app = await startApp()
  let finishWriting = (): void => undefined
  const writing = new Promise<void>((resolve) => (finishWriting = resolve))
  const store = { ...createQueryStore(app.store.db), end: () => writing }
  const queries = keepingUnwritten(store, createLog('silent'))
  const queryId = randomUUID()
  const seen: string[] = []
  const ended = queries.end(endOf(queryId, app.clock.now()))
  const found = queries.endsWritten(queryId).then(() => seen.push('found'))
  await queries.endsWritten(randomUUID())
  expect(seen).toEqual([])
  finishWriting()
  await Promise.all([ended, found])
  await queries.endsWritten(queryId)
})

const endOf = (queryId: string, acceptedAt: Date) =>
  endedRow({ queryId, acceptedAt }, finished(EMPTY_RESULT), { at: new Date(), timeUsedMs: 1 })

test('a figure that the database cannot hold keeps neither its end nor a later one from being written', async () => {
  const { app, run, stateOf } = await setUp()
  const requests = [randomUUID(), randomUUID()]
  const ids: string[] = []
  for (const requestId of requests) ids.push((await run('SELECT 1', { requestId }))[0]?.queryId ?? '')
  await app.endsWritten()
  await app.store.db.updateTable('statements').set({ state: 'running', ended_at: null }).execute()
  const store = keepingUnwritten(createQueryStore(app.store.db), createLog('silent'))
  const at = app.clock.now()
  await store.end({ ...endOf(ids[0] ?? '', at), row_count: 1e30 })
  await store.end(endOf(ids[1] ?? '', at))
  expect(await Promise.all(requests.map(stateOf))).toEqual(['finished', 'finished'])
})
