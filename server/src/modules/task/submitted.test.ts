import { CODES } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { done, session, setUp } from '../../testing/view-kit.ts'

test('a task runs in the background, and its run is listed for the user who submitted it', async () => {
  const { app, run, rows } = await setUp()
  const submitted = await run('SUBMIT TASK grow AS INSERT INTO boats SELECT a + 1 FROM boats')
  expect([submitted.fields.map(({ name }) => name), submitted.result]).toEqual([
    ['TaskName', 'Status'],
    [['grow', 'SUBMITTED']],
  ])
  await app.materialized.idle()
  expect(await rows('SELECT a FROM boats ORDER BY a')).toEqual([['1'], ['2']])
  const shown = await run('SHOW TASK RUNS')
  const at = (column: string) => shown.fields.findIndex(({ name }) => name === column)
  expect(
    shown.result.map((row) => [row[at('TASK_NAME')], row[at('STATE')], row[at('ERROR_MESSAGE')]]),
  ).toEqual([['grow', 'SUCCESS', '']])
  expect((await rows('SHOW TASKS'))[0]?.[0]).toBe('grow')
  const other = await session(await app.user())
  expect((await other('SHOW TASK RUNS')).result).toEqual([])
})

test('a task has no more privileges than the user who submitted it, and its failure is listed', async () => {
  const { app, rows } = await setUp()
  const asAda = await session(await app.user())
  await done(asAda, 'SUBMIT TASK AS INSERT INTO boats VALUES (9)')
  await app.materialized.idle()
  const [row = []] = (await asAda('SHOW TASK RUNS')).result
  expect(row).toEqual(expect.arrayContaining(['FAILED', expect.stringContaining('INSERT on TABLE')]))
  expect(await rows('SELECT * FROM boats')).toEqual([['1']])
})

test.each(['SELECT 1', 'GRANT db_admin TO admin', 'COPY boats TO x', 'SUBMIT TASK AS DELETE FROM boats'])(
  '%s is no task',
  async (sql) => {
    const { run } = await setUp()
    const { errCode, errMsg } = await run(`SUBMIT TASK AS ${sql}`)
    expect([errCode, errMsg]).toEqual([
      CODES.QueryFailed.code,
      expect.stringContaining('A task is a statement that writes'),
    ])
  },
)

test('a task that was acknowledged and not started is run by the next server, once', async () => {
  const { app, run, rows } = await setUp()
  await done(run, 'SUBMIT TASK AS INSERT INTO boats VALUES (2)')
  await app.materialized.idle()
  // As if this server had ended before it wrote how that went.
  await app.store.db.updateTable('task_runs').set({ state: 'pending', ended_at: null }).execute()
  await app.tasks.recover()
  await app.materialized.idle()
  expect(await rows('SELECT count(*) FROM boats')).toEqual([['2']])
  expect((await rows('SHOW TASK RUNS'))[0]).toContain('SUCCESS')
})
