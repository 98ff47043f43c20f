import { randomUUID } from 'node:crypto'
import type { Kysely, KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import { actorWith } from '../../testing/actor.ts'
import { startApp } from '../../testing/start-app.ts'
import type { Schema } from '../../store/schema.ts'
import { NO_NAME_RULES } from '../../engines/engine/name-rules.ts'
import { analyseStatement } from './analysis/analysed-text.ts'
import { acceptedRows } from './accepting/accepted-rows.ts'
import { createConnections } from './sessions/connections.ts'
import { createQueryStore } from './store.ts'

/** The next answer is lost on its way; what was asked for has been done. */
function losingOneAnswer(db: Kysely<Schema>): Kysely<Schema> {
  let isLost = false
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (isLost) return result
      isLost = true
      throw new Error('Connection terminated unexpectedly')
    },
  }
  return db.withPlugin(plugin)
}

async function oneRequest() {
  const { accountId, clock, store } = await startApp()
  const { user_id: userId } = await store.db.selectFrom('users').select('user_id').executeTakeFirstOrThrow()
  const actor = { ...actorWith(accountId), userId }
  const connections = createConnections({
    store: createQueryStore(store.db),
    homeEngine: 'scripted',
    clock,
    onClosed: () => undefined,
  })
  const submission = {
    requestId: randomUUID(),
    sql: 'SELECT 1',
    connectionId: 0,
    previousConnectionId: 0,
    clientId: 'test',
    clientIp: null,
    door: 'service' as const,
  }
  const connection = await connections.resolve(actor, submission)
  const rowsUnder = (queryId: string) =>
    acceptedRows({
      actor,
      connection,
      submission,
      statements: [{ queryId, statement: analyseStatement('SELECT 1', NO_NAME_RULES) }],
      at: clock.now(),
      startsAtOnce: true,
      homeEngine: connections.homeEngine,
    })
  return { db: store.db, rowsUnder }
}

test('a request whose acceptance was written is accepted, though the answer to that was lost', async () => {
  const { db, rowsUnder } = await oneRequest()
  const queryId = randomUUID()
  expect(await createQueryStore(losingOneAnswer(db)).accept(rowsUnder(queryId))).not.toBeNull()
  expect(await createQueryStore(db).accept(rowsUnder(randomUUID()))).toBeNull()
  expect(await db.selectFrom('statements').select('query_id').execute()).toEqual([{ query_id: queryId }])
})

test('a request whose acceptance did not reach the database is written by a second attempt', async () => {
  const { db, rowsUnder } = await oneRequest()
  let attempts = 0
  const failing = db.withPlugin({
    transformQuery({ node }) {
      if (++attempts === 1) throw new Error('Connection terminated unexpectedly')
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const queryId = randomUUID()
  expect(await createQueryStore(failing).accept(rowsUnder(queryId))).not.toBeNull()
  expect(await db.selectFrom('statements').select('query_id').execute()).toEqual([{ query_id: queryId }])
})

test('a request that could not be written is not accepted', async () => {
  const { db, rowsUnder } = await oneRequest()
  const [row] = rowsUnder(randomUUID())
  if (!row) throw new Error('A row was expected.')
  await expect(createQueryStore(db).accept([{ ...row, statement_index: -1 }])).rejects.toThrow('check')
})

test('statements go with their account, and with no other', async () => {
  const { db, rowsUnder } = await oneRequest()
  await createQueryStore(db).accept(rowsUnder(randomUUID()))
  const [row] = rowsUnder(randomUUID())
  if (!row) throw new Error('A row was expected.')
  await createQueryStore(db).accept([{ ...row, account_id: 'another', request_id: randomUUID() }])
  await db.deleteFrom('accounts').where('account_id', '=', row.account_id).execute()
  expect(await db.selectFrom('statements').select('account_id').execute()).toEqual([
    { account_id: 'another' },
  ])
})

test('requests of one moment are written as they would be alone, and one that is there already runs no second time', async () => {
  const { db, rowsUnder } = await oneRequest()
  const store = createQueryStore(db)
  const rows = Array.from({ length: 6 }, () =>
    rowsUnder(randomUUID()).map((row) => ({ ...row, request_id: randomUUID() })),
  )
  const known = await Promise.all(rows.map((each) => store.accept(each)))
  expect(known.every((one) => one?.identityVersion !== undefined)).toBe(true)
  const written = await db
    .selectFrom('statements')
    .selectAll()
    .where(
      'query_id',
      'in',
      rows.flat().map((row) => row.query_id),
    )
    .execute()
  expect(written).toHaveLength(6)
  const likeFirst = written.map((row) => ({
    ...row,
    query_id: written[0]?.query_id,
    request_id: written[0]?.request_id,
  }))
  expect(new Set(likeFirst.map((row) => JSON.stringify(row))).size).toBe(1)
  const again = [
    ...rows.slice(3).map((each) => each.map((row) => ({ ...row, query_id: randomUUID() }))),
    rowsUnder(randomUUID()),
  ]
  expect((await Promise.all(again.map((each) => store.accept(each)))).map((one) => one !== null)).toEqual([
    false,
    false,
    false,
    true,
  ])
})
