import { CODES } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { MINUTES } from '../../testing/fake-clock.ts'
import { done, session, setUp } from '../../testing/view-kit.ts'

const GROW =
  'SUBMIT TASK grow SCHEDULE EVERY (INTERVAL 5 MINUTE) AS INSERT INTO boats SELECT max(a) + 1 FROM boats'

type Set = Awaited<ReturnType<typeof setUp>>

async function pass({ app }: Set, minutes: number): Promise<void> {
  app.clock.advance(minutes * MINUTES)
  await app.scheduledTasks.runDue()
  await app.materialized.idle()
}

const count = async ({ rows }: Set) => (await rows('SELECT count(*) FROM boats'))[0]?.[0]

test('nobody pauses, resumes, drops or sees the task of somebody else but an account administrator', async () => {
  const set = await setUp()
  await done(set.run, GROW)
  const other = await session(await set.app.user())
  for (const sql of ['ALTER TASK grow PAUSE', 'ALTER TASK grow RESUME', 'DROP TASK grow']) {
    const { errCode, errMsg } = await other(sql)
    expect([sql, errCode, errMsg]).toEqual([
      sql,
      CODES.QueryFailed.code,
      expect.stringContaining('There is no scheduled task grow that you may see'),
    ])
  }
  expect((await other('SHOW TASKS')).result).toEqual([])
  const stranger = await session(await set.app.stranger(['account_admin']))
  expect((await stranger('DROP TASK grow')).errCode).toBe(CODES.QueryFailed.code)
  const boss = await session(await set.app.user(['account_admin']))
  expect((await boss('SHOW TASKS')).result).toHaveLength(1)
  await done(boss, 'ALTER TASK grow PAUSE', 'DROP TASK grow')
})

test('it runs when it is due, each run is listed, and it is paused, resumed and dropped', async () => {
  const set = await setUp()
  const { run, rows } = set
  await done(run, GROW)
  await pass(set, 4)
  expect(await count(set)).toBe('1')
  await pass(set, 1)
  expect(await count(set)).toBe('2')
  await pass(set, 12)
  expect(await count(set), 'what was missed is not made up for').toBe('3')
  const shown = await run('SHOW TASK RUNS')
  const at = (column: string) => shown.fields.findIndex(({ name }) => name === column)
  expect(shown.result.map((row) => [row[at('TASK_NAME')], row[at('STATE')]])).toEqual([
    ['grow', 'SUCCESS'],
    ['grow', 'SUCCESS'],
  ])
  expect((await rows('SHOW TASKS'))[0]?.slice(0, 3)).toEqual([
    'grow',
    expect.any(String),
    expect.stringMatching(/^START \('.*'\) EVERY \(INTERVAL 5 MINUTE\)$/),
  ])
  await done(run, 'ALTER TASK GROW PAUSE')
  expect((await rows('SHOW TASKS'))[0]?.[2]).toContain('PAUSED')
  await pass(set, 30)
  expect(await count(set)).toBe('3')
  await done(run, 'ALTER TASK grow RESUME')
  await pass(set, 5)
  expect(await count(set)).toBe('4')
  await done(run, 'DROP TASK grow', 'DROP TASK IF EXISTS grow')
  await pass(set, 30)
  expect(await count(set)).toBe('4')
  expect(await rows('SHOW TASKS')).toEqual([])
  expect(await rows('SHOW TASK RUNS'), 'what has run stays').toHaveLength(3)
})

test('it runs with the privileges that its user has by then, and a failure is listed', async () => {
  const set = await setUp()
  const ada = await set.app.user()
  const asAda = await session(ada)
  await done(set.run, `GRANT INSERT ON boats TO ${ada.name}`)
  await done(asAda, 'SUBMIT TASK more SCHEDULE EVERY (INTERVAL 1 MINUTE) AS INSERT INTO boats VALUES (9)')
  await pass(set, 1)
  expect(await count(set)).toBe('2')
  await done(set.run, `REVOKE INSERT ON boats FROM ${ada.name}`)
  await pass(set, 1)
  expect((await asAda('SHOW TASK RUNS')).result[0]).toEqual(
    expect.arrayContaining(['FAILED', expect.stringContaining('INSERT on TABLE')]),
  )
  await done(set.run, `DROP USER ${ada.name}`)
  await pass(set, 1)
  expect((await set.rows('SHOW TASK RUNS'))[0]).toEqual(
    expect.arrayContaining(['FAILED', expect.stringContaining('removed')]),
  )
  expect(await count(set)).toBe('2')
})

test('one that still runs is not started again, and a run that a server left is run once', async () => {
  const set = await setUp()
  const { app, run, rows } = set
  await done(run, GROW)
  app.engines.hold()
  app.clock.advance(5 * MINUTES)
  await app.scheduledTasks.runDue()
  app.clock.advance(5 * MINUTES)
  await app.scheduledTasks.runDue()
  app.engines.release()
  await app.materialized.idle()
  expect(await count(set)).toBe('2')
  expect(await rows('SHOW TASK RUNS')).toHaveLength(1)
  // As if this server had ended before it wrote how that went.
  await app.store.db.updateTable('task_runs').set({ state: 'running', ended_at: null }).execute()
  await app.tasks.recover()
  await app.materialized.idle()
  expect(await count(set)).toBe('2')
  expect((await rows('SHOW TASK RUNS'))[0]).toContain('SUCCESS')
})

test.each([
  [GROW, 'The scheduled task grow already exists'],
  [
    'SUBMIT TASK SCHEDULE EVERY (INTERVAL 5 SECOND) AS DELETE FROM boats',
    'A task runs at most every 60 seconds',
  ],
  [`SUBMIT TASK SCHEDULE START ('soon') EVERY (INTERVAL 1 DAY) AS DELETE FROM boats`, 'soon is not a time'],
  ['SUBMIT TASK SCHEDULE EVERY (INTERVAL 1 DAY) AS SELECT 1', 'A task is a statement that writes'],
  ['SUBMIT TASK x SCHEDULE AS DELETE FROM boats', 'Write SUBMIT TASK'],
  ['ALTER TASK grow FASTER', 'Write ALTER TASK'],
  ['DROP TASK none', 'There is no scheduled task none'],
])('%s is refused', async (sql, message) => {
  const { run } = await setUp()
  await done(run, GROW)
  const { errCode, errMsg } = await run(sql)
  expect([errCode === CODES.Ok.code, errMsg]).toEqual([false, expect.stringContaining(message)])
})
