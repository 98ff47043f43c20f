import { CODES, schema } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { createLog } from '../../../kernel/log.ts'
import { timeOrderedId } from '../../../kernel/time-ordered-id.ts'
import { actorWith } from '../../../testing/actor.ts'
import { startApp } from '../../../testing/start-app.ts'
import { userAuthor } from '../../audit/author.ts'
import { entriesOf } from '../../audit/verify.ts'
import { type Change, createApplyChange } from './apply-change.ts'
import { createChangeNoteStore, type NotedChange } from '../../query/running/change-note-store.ts'
import { createChangeNotes } from '../../query/running/change-notes.ts'
import { ofService } from './change-run.ts'
import { createLooking } from '../objects/looking.ts'

type App = Awaited<ReturnType<typeof startApp>>

const log = createLog('silent')
const place = { catalog: 'default_catalog', database: 'harbour' }
const HARBOUR: Change = {
  ...ofService('CREATE SCHEMA default_catalog.harbour'),
  place,
  follows: [{ change: 'created', object: { type: 'database', ...place, name: null } }],
  audit: {
    action: 'database.create',
    object: { type: 'database', id: 'default_catalog.harbour' },
    before: null,
    after: { name: 'harbour' },
  },
}

/** As a server has them; one that ends at the worst moment writes nothing more. */
function notesOf({ store, compute }: App, ends = false) {
  return createChangeNotes({
    store: createChangeNoteStore(store.db),
    transaction: ends ? () => Promise.reject(new Error('the server has ended')) : store.transaction,
    useEngine: compute.useEngine,
    log,
  })
}

const whoIn = ({ accountId }: App) => ({ actor: actorWith(accountId, ['db_admin']), clientIp: '10.0.0.1' })

async function change(app: App, { ends }: { ends: boolean }, asked: Change = HARBOUR): Promise<void> {
  const { useServiceEngine } = app.compute
  const nothing = () => Promise.resolve()
  const apply = createApplyChange({
    objectsChanged: nothing,
    announce: nothing,
    notes: notesOf(app, ends),
    clock: app.clock,
    log,
  })
  const who = whoIn(app)
  await createLooking({ useServiceEngine })(who.actor, (looking) => apply(who, looking, asked))
}

async function toldIn({ store, accountId }: App): Promise<Record<string, unknown>[]> {
  const entries: Record<string, unknown>[] = []
  for await (const text of entriesOf(store.db, accountId, { after: 0, until: 1e6 }))
    entries.push(JSON.parse(text) as Record<string, unknown>)
  return entries.filter(({ action }) => action === 'database.create')
}

const leftIn = ({ store }: App) => store.db.selectFrom('catalog_changes').selectAll().execute()

test('the next server records a change when the first one ended in the middle of it', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  await change(app, { ends: true })
  expect([await toldIn(app), (await leftIn(app)).length]).toEqual([[], 1])
  const followed: NotedChange['told']['follows'][] = []
  const next = notesOf(app)
  await next.settle(async ({ told }) => void followed.push(told.follows))
  expect(await toldIn(app)).toMatchObject([
    { ...HARBOUR.audit, by: { clientIp: '10.0.0.1' }, at: app.clock.now().toISOString() },
  ])
  expect(followed).toEqual([HARBOUR.follows])
  await next.settle()
  expect([(await toldIn(app)).length, await leftIn(app)]).toEqual([1, []])
})

test('a change that was started and not made is not recorded', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const { follows = [], audit } = HARBOUR
  const noted = {
    id: timeOrderedId(),
    accountId: app.accountId,
    begunAt: app.clock.now(),
    told: { event: { by: userAuthor(whoIn(app)), ...audit }, follows },
  }
  const first = notesOf(app)
  await first.begin(noted)
  // It may still be made.
  await first.settle()
  expect((await leftIn(app)).length).toBe(1)
  await notesOf(app).settle()
  expect([await toldIn(app), await leftIn(app)]).toEqual([[], []])
})

test('a change that fails leaves neither a note nor an entry', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  await change(app, { ends: false })
  await expect(change(app, { ends: false })).rejects.toThrow('already exists')
  expect([(await toldIn(app)).length, await leftIn(app)]).toEqual([1, []])
  const admin = await app.admin()
  const again = await admin.call(schema.createDatabase, { catalog: place.catalog, databaseName: 'harbour' })
  expect(again.code).toBe(CODES.NameTaken.code)
  expect([(await toldIn(app)).length, await leftIn(app)]).toEqual([1, []])
})

test('of an engine that does not remember what it did, an entry says that nobody knows', async () => {
  const app = await startApp({}, { engine: 'embedded', without: ['effects'] })
  await change(app, { ends: true })
  await notesOf(app).settle()
  expect(await toldIn(app)).toMatchObject([{ after: { name: 'harbour', effect: 'unknown' } }])
  expect(await leftIn(app)).toEqual([])
})
