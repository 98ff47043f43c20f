import { randomUUID } from 'node:crypto'
import { CODES, query, QUERY_STATES } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { timeOrderedId } from '../../../kernel/time-ordered-id.ts'
import { startApp } from '../../../testing/start-app.ts'
import { CUT_OFF } from '../running/ending.ts'

test('what the history says of a statement that the server died with is what its request hears when sent again', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const channel = await admin.channel()
  const requestId = randomUUID()
  const sql = 'SELECT 1; SELECT 2'
  await channel.run(sql, { requestId })
  await app.endsWritten()
  // As a server leaves it that is killed while the first statement runs.
  const unfinished = { ended_at: null, result_state: 'none' } as const
  const left = app.store.db.updateTable('statements').where('request_id', '=', requestId)
  await left
    .set({ ...unfinished, state: 'running' })
    .where('statement_index', '=', 0)
    .execute()
  await left
    .set({ ...unfinished, state: 'accepted', started_at: null })
    .where('statement_index', '=', 1)
    .execute()
  await left.set({ request_id: `${requestId}-x` }).execute()
  await app.queries.interruptUnfinished()

  const answers = await channel.run(sql, { requestId: `${requestId}-x` })
  expect(answers.map(({ errCode, errMsg }) => [errCode, errMsg])).toEqual([
    [CODES.Interrupted.code, expect.stringContaining('The service ended while this statement ran.')],
    [CODES.Interrupted.code, expect.stringContaining('The service ended before this statement ran.')],
  ])
  const { entries } = (await admin.call(query.history, {})).data
  expect(entries.map(({ state, error }) => [state, error])).toEqual([
    ['interrupted', answers[1]?.errMsg],
    ['interrupted', answers[0]?.errMsg],
  ])
})

test('a finished SELECT that is asked for again says how many rows it had', async () => {
  const app = await startApp()
  const channel = await (await app.admin()).channel()
  const requestId = randomUUID()
  const sql = 'SELECT * FROM range(5); SELECT * FROM range(2500)'
  await channel.run(sql, { requestId })
  await app.endsWritten()
  // Under another id, because answers of late are still in memory with their rows.
  const old = `${requestId}-x`
  const rows = app.store.db.updateTable('statements').where('request_id', '=', requestId)
  await rows.set({ request_id: old }).execute()
  expect(await channel.run(sql, { requestId: old })).toMatchObject([
    { queryState: QUERY_STATES.Finished, totalRows: 5, truncated: false, result: [], resultKept: true },
    { queryState: QUERY_STATES.Finished, totalRows: 1000, truncated: true, result: [], resultKept: true },
  ])
})

test('the answer of a statement that was lost with its engine says what became known of it later', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const channel = await admin.channel()
  await channel.run('CREATE TABLE t (n int)')
  const requestId = randomUUID()
  await channel.run('INSERT INTO t VALUES (1)', { requestId })
  // As it is written when the engine cannot be asked at once; and it is not what the engine remembers.
  const error = { code: 'Interrupted', message: `The engine ended. ${CUT_OFF.unknown}`, offset: null }
  await app.store.db
    .updateTable('statements')
    .set({ query_id: timeOrderedId(), request_id: `${requestId}-x`, state: 'interrupted', effect: 'unknown' })
    .set({ error: JSON.stringify(error) })
    .where('request_id', '=', requestId)
    .execute()
  const [answer] = await channel.run('INSERT INTO t VALUES (1)', { requestId: `${requestId}-x` })
  expect(answer?.errMsg).toBe(`The engine ended. ${CUT_OFF['not taken']}`)
  const [entry] = (await admin.call(query.history, {})).data.entries
  expect(entry).toMatchObject({ effect: 'not taken', error: answer?.errMsg })
})
