import { randomUUID } from 'node:crypto'
import { CODES, schema } from '@boathouse/contract'
import { expect, test, vi } from 'vitest'
import type { Engine } from '../../../engines/engine/engine.ts'
import { createLog } from '../../../kernel/log.ts'
import type { Store } from '../../../store/store.ts'
import { sessionOf } from '../../../testing/channel-session.ts'
import { actorWith } from '../../../testing/actor.ts'
import { startApp } from '../../../testing/start-app.ts'
import { createCatalogRenaming } from './catalog-renaming.ts'
import { createInternalStore } from './internal-store.ts'

const setUp = async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  return { app, admin, channel: await admin.channel() }
}

type App = Awaited<ReturnType<typeof setUp>>['app']

const rename = (newName: string, catalog = 'archive') => ({ catalog, newName })

/** Rows that nobody else changes until they are let go. */
const holdRows = async ({ store }: App, rows: string) => {
  const other = await store.pool.connect()
  await other.query('begin')
  await other.query(`select 1 from ${rows} for update`)
  return async () => {
    await other.query('commit')
    other.release()
  }
}

/** How many transactions of the server meet a condition. */
const transactionsThat =
  ({ store }: App, are: string) =>
  async () =>
    (await store.pool.query(`select 1 from pg_stat_activity where datname = current_database() and ${are}`))
      .rowCount

test('while a catalog is renamed, statements elsewhere run', async () => {
  const { app, admin, channel } = await setUp()
  const [run, elsewhere] = [sessionOf(channel), sessionOf(await admin.channel())]
  for (const sql of ['CREATE CATALOG archive', 'CREATE CATALOG other', 'USE archive.main'])
    expect([sql, (await run(sql)).error]).toEqual([sql, ''])
  const letGo = await holdRows(app, 'internal_catalogs')
  const renamed = admin.call(schema.renameCatalog, rename('sea'))
  const isHeld = transactionsThat(
    app,
    `wait_event_type = 'Lock' and query like 'update "internal_catalogs"%'`,
  )
  await expect.poll(isHeld, { timeout: 20_000 }).toBe(1)
  expect((await elsewhere('SELECT 7')).rows).toEqual([['7']])
  await letGo()
  expect((await renamed).code).toBe(CODES.Ok.code)
})

test('the end of a transaction is not kept waiting by the renaming that waits for it', async () => {
  const { app, admin, channel } = await setUp()
  const run = sessionOf(channel)
  for (const sql of [
    'CREATE CATALOG archive',
    'USE archive.main',
    'CREATE TABLE voyages (id int)',
    'BEGIN',
    'INSERT INTO voyages VALUES (1)',
  ])
    expect([sql, (await run(sql)).error]).toEqual([sql, ''])
  const renamed = admin.call(schema.renameCatalog, rename('sea'))
  const hasCounted = transactionsThat(app, `state = 'idle in transaction' and query like 'select count(%'`)
  await expect.poll(hasCounted, { timeout: 10_000 }).toBe(1)
  expect((await run('COMMIT')).error).toBe('')
  expect((await renamed).code).toBe(CODES.Ok.code)
  expect((await run('SELECT current_catalog(), id FROM voyages')).rows).toEqual([['sea', '1']])
})

test('a later statement of a request runs in its catalog under its new name as well', async () => {
  const { app, admin, channel } = await setUp()
  const run = sessionOf(channel)
  for (const sql of ['CREATE CATALOG archive', 'CREATE TABLE archive.main.voyages AS SELECT 1 AS id'])
    expect([sql, (await run(sql)).error]).toEqual([sql, ''])
  app.engines.hold()
  const both = run('USE archive.main; SELECT id FROM voyages')
  await expect.poll(() => app.engines.heldStatements(), { timeout: 20_000 }).toBe(1)
  // Nothing can be written of the second one.
  const letGo = await holdRows(app, `statements where sql like 'SELECT id%'`)
  app.engines.release()
  const isHeld = transactionsThat(app, `wait_event_type = 'Lock' and query like 'update "statements"%'`)
  await expect.poll(isHeld, { timeout: 20_000 }).toBe(1)
  const renamed = await admin.call(schema.renameCatalog, rename('sea'))
  await letGo()
  expect(renamed.code).toBe(CODES.Ok.code)
  expect(await both).toMatchObject({ error: '', rows: [['1']], last: { catalog: 'sea' } })
})

test('a catalog is not renamed while somebody enters it, and nobody enters one that is renamed', async () => {
  const { app, admin, channel } = await setUp()
  const run = sessionOf(channel)
  expect((await run('CREATE CATALOG archive')).error).toBe('')
  const letMove = await holdRows(app, 'connections')
  const entered = run('USE archive.main')
  const isMoving = transactionsThat(app, `wait_event_type = 'Lock' and query like 'update "connections"%'`)
  await expect.poll(isMoving, { timeout: 20_000 }).toBe(1)
  const refused = await admin.call(schema.renameCatalog, rename('sea'))
  await letMove()
  expect((await entered).error).toBe('')
  expect(refused.code).toBe(CODES.Conflict.code)

  expect((await run('USE default_catalog.main')).error).toBe('')
  const letGo = await holdRows(app, 'internal_catalogs')
  const renamed = admin.call(schema.renameCatalog, rename('sea'))
  const isHeld = transactionsThat(
    app,
    `wait_event_type = 'Lock' and query like 'update "internal_catalogs"%'`,
  )
  await expect.poll(isHeld, { timeout: 20_000 }).toBe(1)
  const next = run('USE sea.main')
  const isSent = async () =>
    (await app.store.pool.query(`select 1 from statements where sql = 'USE sea.main'`)).rowCount
  await expect.poll(isSent, { timeout: 20_000 }).toBe(1)
  await letGo()
  expect((await renamed).code).toBe(CODES.Ok.code)
  expect((await next).error).toBe('')
  expect((await admin.call(schema.renameCatalog, rename('ocean', 'sea'))).code).toBe(CODES.Ok.code)
  expect((await run('SELECT current_catalog()')).rows).toEqual([['ocean']])
})

const brokenOff = () => new Error('the line broke')

/** A catalog called archive, an engine that renames as `renames` says, and a database that loses its connection. */
const setUpBreaking = async (
  breaking: (transaction: Store['transaction']) => Store['transaction'],
  renames = async (_from: string, _to: string) => true,
  isGone = false,
) => {
  const { accountId, clock, store } = await startApp()
  const after: Store['transaction'] = isGone ? () => Promise.reject(brokenOff()) : store.transaction
  const internal = createInternalStore(store.db)
  await store.transaction((trx) =>
    internal.insert(trx, {
      catalog_id: randomUUID(),
      account_id: accountId,
      name: 'archive',
      description: '',
      created_by: 'rower',
      created_at: clock.now(),
      opened_at: clock.now(),
    }),
  )
  const [row] = await internal.list(accountId)
  if (!row) throw new Error('there is no catalog')
  const inEngine = vi.fn<typeof renames>(renames)
  const log = createLog('silent')
  const spies = { forgets: vi.fn<() => void>(), ends: vi.fn<() => void>(), logs: vi.spyOn(log, 'error') }
  const first = breaking(store.transaction)
  let transactions = 0
  const renameCatalog = createCatalogRenaming({
    store: internal,
    transaction: (work) => (transactions++ === 0 ? first : after)(work),
    useServiceEngine: (_, work) => work({ attachments: { rename: inEngine } } as unknown as Engine),
    look: () => Promise.reject(new Error('nobody looks')),
    beginRenaming: () => spies.ends,
    statementsIn: async () => 0,
    viewsNaming: async () => [],
    onRenamed: spies.forgets,
    clock,
    log,
  })
  const who = { actor: actorWith(accountId), clientIp: '' }
  return {
    inEngine,
    spies,
    renamed: () => renameCatalog(who, row, { newName: 'sea', evenIfUsed: true }),
    nameKept: async () => (await internal.list(accountId))[0]?.name,
  }
}

test('a new name that was committed is valid even when the commit was not confirmed', async () => {
  const { inEngine, spies, renamed, nameKept } = await setUpBreaking((transaction) => async (work) => {
    await transaction(work)
    throw brokenOff()
  })
  await renamed()
  expect(await nameKept()).toBe('sea')
  expect(inEngine.mock.calls).toEqual([['archive', 'sea']])
  expect(spies.forgets).toHaveBeenCalledOnce()
  expect(spies.ends).toHaveBeenCalledOnce()
})

const neverKept =
  (transaction: Store['transaction']): Store['transaction'] =>
  (work) =>
    transaction(async (trx) => {
      await work(trx)
      throw brokenOff()
    })

test('when a new name was not committed, the engine returns to the previous one, also when the catalog is in use at first', async () => {
  const answers = [true, false, true]
  const { inEngine, spies, renamed, nameKept } = await setUpBreaking(
    neverKept,
    async () => answers.shift() ?? false,
  )
  await expect(renamed()).rejects.toThrow('the line broke')
  expect(await nameKept()).toBe('archive')
  expect(inEngine.mock.calls).toEqual([
    ['archive', 'sea'],
    ['sea', 'archive'],
    ['sea', 'archive'],
  ])
  expect(spies.forgets).toHaveBeenCalledOnce()
  expect(spies.logs).not.toHaveBeenCalled()
})

test('the log records an engine that does not return to the previous name', async () => {
  const { spies, renamed } = await setUpBreaking(neverKept, async (from) => from === 'archive')
  await expect(renamed()).rejects.toThrow('the line broke')
  expect(spies.logs).toHaveBeenCalledOnce()
  expect(spies.ends).toHaveBeenCalledOnce()
})

test('where the database cannot say which name it has, the engine returns to the previous one, and the log records it', async () => {
  const { inEngine, spies, renamed } = await setUpBreaking(neverKept, undefined, true)
  await expect(renamed()).rejects.toThrow('the line broke')
  expect(inEngine.mock.lastCall).toEqual(['sea', 'archive'])
  expect(spies.logs).toHaveBeenCalledOnce()
})
