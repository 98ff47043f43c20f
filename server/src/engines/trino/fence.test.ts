import { expect, test } from 'vitest'
import { rowsUpTo } from '../conformance/fixture.ts'
import type { Engine } from '../engine/engine.ts'
import { isDenial, type ObjectUse } from '../engine/objects.ts'
import type { Outcome } from '../engine/outcome.ts'
import { type ExecuteOptions, PROGRESS_UNKNOWN } from '../engine/run.ts'
import { NOTHING_TO_LOSE, SessionRefused, type SessionState } from '../engine/session.ts'
import { catalogsOf } from './catalogs.ts'
import { TRINO_DIALECT } from './dialect.ts'
import { fenced } from './fence.ts'

const CLUSTER = { catalogs: ['sales', 'web'], hides: new Set(['secret', 'other-tenant', 'system']) }
const DONE: Outcome = {
  state: 'finished',
  result: { columns: [], rows: [], truncated: false, rowsChanged: null },
  bytes: 0,
  kept: null,
  profile: null,
  peakMemoryBytes: null,
  session: NOTHING_TO_LOSE,
}
const failedWith = (message: string, kind: 'missing' | 'syntax' | 'permission' = 'missing'): Outcome => ({
  state: 'failed',
  error: { kind, message },
  session: NOTHING_TO_LOSE,
})

const reads = (catalog: string, through: string | null = null): ObjectUse => ({
  action: 'read',
  object: { type: 'table', catalog, database: 's', name: 't' },
  through: through === null ? null : { type: 'view', catalog: through, database: 's', name: 'v' },
})

/** An engine that finds these objects in every statement, or cannot analyze it. */
function behindFence(found: readonly ObjectUse[] | string, kind: 'syntax' | 'missing' = 'syntax') {
  const opened: SessionState[] = []
  const executed: ExecuteOptions[] = []
  const texts: string[] = []
  async function end(options: ExecuteOptions): Promise<Outcome> {
    if (typeof found === 'string') return failedWith(found, kind)
    if (options.authorize === 'all') return DONE
    const verdict = await options.authorize(found)
    return verdict && isDenial(verdict) ? failedWith(verdict.message, 'permission') : DONE
  }
  const inner: Engine = {
    kind: 'trino',
    dialect: TRINO_DIALECT,
    usesAre: 'as of a moment before',
    catalogs: catalogsOf(CLUSTER.catalogs),
    explain: (sql) => sql,
    profiling: null,
    describing: null,
    descriptions: null,
    attachments: null,
    files: { formats: ['csv'] } as unknown as Engine['files'],
    tableSizes: null,
    effects: null,
    resize: () => Promise.resolve(),
    lost: new Promise(() => undefined),
    settled: () => Promise.resolve(),
    close: () => Promise.resolve(),
    async openSession(state) {
      opened.push(state)
      if (kind === 'missing' && state.database === 'main')
        throw new SessionRefused({ kind, message: 'There is no such database.' })
      return {
        execute(sql, options) {
          texts.push(sql)
          executed.push(options)
          return { outcome: end(options), progress: () => PROGRESS_UNKNOWN, cancel: async () => undefined }
        },
        close: () => Promise.resolve(),
      }
    },
  }
  return { engine: fenced(inner, { accountId: 'ACME', cluster: CLUSTER }), opened, executed, texts }
}

const STATE = { catalog: 'sales', database: 's', timeZone: 'UTC', variables: {}, user: 'ann' }

async function run(found: readonly ObjectUse[] | string, sql: string, options: Partial<ExecuteOptions> = {}) {
  const session = await behindFence(found).engine.openSession(STATE)
  return session.execute(sql, { ...rowsUpTo(10), takenFor: 'reads', authorize: 'all', ...options }).outcome
}

test('who may do everything in an account does so in its own catalogs alone', async () => {
  expect(await run([reads('sales')], 'select 1')).toEqual(DONE)
  const refused = failedWith("Catalog 'secret' not found")
  expect(await run([reads('sales'), reads('secret')], 'select 1')).toEqual(refused)
  // Also where a view of the account's own leads there.
  expect(await run([reads('web'), reads('secret', 'web')], 'select 1')).toEqual(refused)
  expect(await run([reads('system')], 'select 1')).toEqual(failedWith("Catalog 'system' not found"))
})

test('behind the fence, privileges decide as ever', async () => {
  const asked: (readonly ObjectUse[])[] = []
  const authorize = async (uses: readonly ObjectUse[]) => {
    asked.push(uses)
    return { message: 'You may not.' }
  }
  expect(await run([reads('sales')], 'select 1', { authorize })).toEqual(
    failedWith('You may not.', 'permission'),
  )
  expect(await run([reads('secret')], 'select 1', { authorize })).toMatchObject({
    error: { kind: 'missing' },
  })
  expect(asked).toEqual([[reads('sales')]])
})

test.each([
  'select nope from secret.s.t',
  'select nope from "secret".s.t',
  'select nope from `SECRET` . s.t',
  'select nope from secret/**/.s.t',
  'select nope from secret -- t\n.s.t',
  'select "other-tenant".s.f(1)',
])('what the cluster says of catalogs of others is not shown: %s', async (sql) => {
  const outcome = await run("Column 'nope' cannot be resolved in table with the columns pin, iban", sql)
  expect(outcome).toMatchObject({ state: 'failed', error: { kind: 'missing' } })
  expect(JSON.stringify(outcome)).not.toMatch(/pin|iban/)
})

test('other errors are shown as they are', async () => {
  const message = "Column 'nope' cannot be resolved"
  for (const sql of ['select nope from sales.s.t', "select nope, 'secret'", 'select not_secret.x'])
    expect(await run(message, sql)).toEqual(failedWith(message, 'syntax'))
})

test('a user has a name of the account in the cluster, so that no account has that of another', async () => {
  const { engine, opened } = behindFence([])
  await engine.openSession(STATE)
  const { user: _, ...ofService } = STATE
  await engine.openSession(ofService)
  await engine.openSession({ ...STATE, user: 'Zoë@OTHER' })
  expect(opened.map(({ user }) => user)).toEqual(['ann@ACME', undefined, 'Zo%C3%AB%40OTHER@ACME'])
})

test('a session begins where nothing is, and never in a catalog of others', async () => {
  const { engine, opened } = behindFence([])
  await engine.openSession({ ...STATE, catalog: 'default_catalog', database: 'main' })
  expect(opened).toMatchObject([{ catalog: 'sales', database: 'information_schema' }])
  const enter = engine.catalogs?.statements.enter
  expect(enter?.({ catalog: 'default_catalog', database: 'main' })).toBe('USE "sales"."information_schema"')
  expect(enter?.({ catalog: 'web', database: 'logs' })).toBe('USE "web"."logs"')
  await expect(engine.openSession({ ...STATE, catalog: 'Secret' })).rejects.toMatchObject({
    name: 'SessionRefused',
    error: { kind: 'missing', message: 'There is no database Secret.s in this engine.' },
  })
})

test('what the service asks on its own behalf is not looked at again', async () => {
  const { engine, executed } = behindFence([reads('sales')])
  const { user: _, ...ofService } = STATE
  const options = { ...rowsUpTo(1), authorize: 'all' } as const
  await (await engine.openSession(ofService)).execute('select 1', { ...options, takenFor: 'reads' }).outcome
  await (await engine.openSession(STATE)).execute('use a.b', { ...options, takenFor: null }).outcome
  expect(executed.map(({ authorize }) => authorize)).toEqual(['all', 'all'])
})

test('what reaches beyond statements is closed', () => {
  const { engine } = behindFence([])
  const { files, attachments, descriptions, effects, tableSizes } = engine
  expect({ files, attachments, descriptions, effects, tableSizes }).toEqual({
    files: null,
    attachments: null,
    descriptions: null,
    effects: null,
    tableSizes: null,
  })
})

test('an error tells nothing of a catalog in which its sender holds nothing', async () => {
  const shows = "Column 'nope' cannot be resolved"
  const authorize = async ([use]: readonly ObjectUse[]) =>
    use?.object.catalog === 'sales' ? { message: 'You may not.' } : null
  expect(await run(shows, 'select nope from sales.s.t', { authorize })).toEqual(
    failedWith("Catalog 'sales' not found"),
  )
  expect(await run(shows, 'select nope from web.s.t', { authorize })).toEqual(failedWith(shows, 'syntax'))
  expect(await run(shows, 'select nope from sales.s.t')).toEqual(failedWith(shows, 'syntax'))
})

test('every catalog has a first database, in which names without a database are found nowhere', async () => {
  const { engine, opened } = behindFence([])
  const session = await engine.openSession({ ...STATE, catalog: 'web', database: 'main' })
  expect(opened.map(({ catalog, database }) => [catalog, database])).toEqual([['web', 'main']])
  await session.close()
  const lacking = behindFence('There is no such database.', 'missing')
  const entered = await lacking.engine.openSession({ ...STATE, database: 'main' })
  expect(lacking.opened.map(({ database }) => database)).toEqual(['main', 'information_schema'])
  const enter = lacking.engine.catalogs?.statements.enter({ catalog: 'web', database: 'main' }) ?? ''
  await entered.execute(enter, { ...rowsUpTo(0), takenFor: null, authorize: 'all' }).outcome
  expect(lacking.texts).toEqual(['USE "web"."main"', 'USE "web"."information_schema"'])
})
