import { expect, test } from 'vitest'
import { rowsIn } from '../../../testing/load-kit.ts'
import {
  filesOfPipe,
  pipeApp,
  type PipeApp,
  pipeOf,
  pipeText,
  runLater,
  runPipes,
} from '../../../testing/pipe-kit.ts'
import { createPipeFileStore } from './pipe-file-store.ts'

/** Signed in again: a test may be years later. */
const count = async ({ app }: PipeApp) =>
  (await rowsIn(await app.admin(), 'SELECT count(*) FROM t'))?.[0]?.[0]

/** With one file that is loaded. */
async function loaded(): Promise<PipeApp> {
  const of = await pipeApp()
  await of.landing.put('orders/a.csv', '1,one\n2,two\n')
  await rowsIn(of.admin, pipeText())
  await runPipes(of)
  expect(await count(of)).toBe('2')
  return of
}

/** As a server leaves it that is killed at that moment. */
const leave = ({ app }: PipeApp) =>
  app.store.db
    .updateTable('pipe_files')
    .set({ state: 'loading', ended_at: null, rows_loaded: null })
    .execute()

test('killed after the file was written down and before it was begun, it is loaded once', async () => {
  const of = await pipeApp()
  const { app, admin, landing } = of
  await landing.put('orders/a.csv', '1,one\n')
  await rowsIn(admin, pipeText({ properties: ', "poll_interval" = "1"' }))
  const store = createPipeFileStore(app.store.db)
  await runPipes(of)
  await app.store.db.updateTable('pipe_files').set({ state: 'waiting' }).execute()
  expect(await store.count((await pipeOf(admin)).pipeId, 'waiting')).toBe(1)
  await runLater(of)
  expect(await count(of)).toBe('1')
  expect((await filesOfPipe(admin))[0]).toMatchObject({ state: 'loaded', rowsLoaded: 1 })
})

test('killed after it was begun and before its label was taken, it is loaded', async () => {
  const of = await pipeApp()
  const { app, admin, landing } = of
  await landing.put('orders/a.csv', '1,one\n')
  await rowsIn(admin, pipeText())
  const pipe = await pipeOf(admin)
  const now = app.clock.now()
  const file = { path: 'x', key: 'x', sizeBytes: 1, version: '1', changedAt: now, label: 'pipe-x-1' }
  const store = createPipeFileStore(app.store.db)
  expect(await store.add(pipe.pipeId, [file], now)).toBe(1)
  expect(await store.add(pipe.pipeId, [file], now)).toBe(0)
  await runPipes(of)
  await leave(of)
  await app.store.db.deleteFrom('load_tasks').where('label', '=', 'pipe-x-1').execute()
  await runLater(of)
  expect(await count(of)).toBe('1')
})

test('killed after the engine had committed and before that was written down, it is not loaded again', async () => {
  const of = await loaded()
  await of.app.store.db.updateTable('load_tasks').set({ state: 'running', ended_at: null }).execute()
  await leave(of)
  await runLater(of)
  await runLater(of)
  expect(await count(of)).toBe('2')
  expect((await filesOfPipe(of.admin))[0]).toMatchObject({ state: 'loaded', rowsLoaded: 2 })
})

test('killed after the load had ended and before the pipe knew, it is not loaded again, however late that is', async () => {
  const of = await loaded()
  await leave(of)
  // Labels have expired meanwhile, but not this one.
  of.app.clock.advance(400 * 24 * 3_600_000)
  await of.app.loads.streams.forgetLabels()
  await runLater(of)
  expect(await count(of)).toBe('2')
  expect((await filesOfPipe(await of.app.admin()))[0]).toMatchObject({ state: 'loaded', rowsLoaded: 2 })
  of.app.clock.advance(400 * 24 * 3_600_000)
  await of.app.loads.streams.forgetLabels()
  await runLater(of)
  expect(await count(of)).toBe('2')
})

test('a file that was loaded is known by its content when all that is known of its name is lost', async () => {
  const of = await loaded()
  await of.landing.age('orders/a.csv', new Date('2020-01-01'))
  await runLater(of)
  expect(await count(of)).toBe('2')
  expect((await filesOfPipe(of.admin)).map(({ state }) => state).sort()).toEqual(['loaded', 'skipped'])
})

test('one server at a time runs a pipe, and another one takes it over when its lease has expired', async () => {
  const of = await pipeApp()
  const { app, admin, landing } = of
  await rowsIn(admin, pipeText())
  // Nothing runs it while the lease of another server is put in its place.
  await rowsIn(admin, 'ALTER PIPE p SUSPEND')
  await app.loads.pipes.idle()
  await landing.put('orders/a.csv', '1,one\n')
  await app.store.db
    .updateTable('pipes')
    .set({
      lease_owner: '00000000-0000-4000-8000-000000000000',
      lease_until: new Date(app.clock.now().getTime() + 15_000),
    })
    .execute()
  await rowsIn(admin, 'ALTER PIPE p RESUME')
  await runPipes(of)
  expect(await filesOfPipe(admin)).toEqual([])
  await runLater(of, 16)
  expect(await count(of)).toBe('1')
})
