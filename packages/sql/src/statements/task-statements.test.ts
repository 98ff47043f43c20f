import { expect, test } from 'vitest'
import { readStatement } from '../statement.ts'
import { readAlterTask, readDropTask, readSubmitTask } from './task-statements.ts'

const task = (text: string) => readSubmitTask(readStatement(text))

test('a task has a statement, and may have a name', () => {
  expect(task('SUBMIT TASK AS INSERT INTO t SELECT 1;')).toEqual({
    name: [],
    statement: 'INSERT INTO t SELECT 1',
    offset: 15,
  })
  expect(task('SUBMIT TASK load AS DELETE FROM t')?.name).toEqual(['load'])
  expect([task('SUBMIT TASK load'), task('SUBMIT TASK load AS')]).toEqual([null, null])
})

test('a task may run from time to time', () => {
  expect(
    task(`SUBMIT TASK n SCHEDULE START('2026-01-01 03:00:00') EVERY(INTERVAL 1 DAY) AS DELETE FROM t`),
  ).toEqual({
    name: ['n'],
    schedule: { count: 1, unit: 'day', start: '2026-01-01 03:00:00' },
    statement: 'DELETE FROM t',
    offset: 77,
  })
  expect(task('SUBMIT TASK SCHEDULE EVERY (INTERVAL 5 MINUTE) AS DELETE FROM t')).toMatchObject({
    name: [],
    schedule: { count: 5, unit: 'minute' },
  })
  expect(task('SUBMIT TASK schedule AS DELETE FROM t')).toMatchObject({ name: ['schedule'] })
  for (const clause of [
    'SCHEDULE',
    'SCHEDULE EVERY',
    `SCHEDULE START ('2026-01-01')`,
    'EVERY (INTERVAL 1 DAY)',
  ])
    expect(task(`SUBMIT TASK n ${clause} AS DELETE FROM t`)).toBeNull()
})

test('a task is paused, resumed and dropped by its name', () => {
  const alter = (text: string) => readAlterTask(readStatement(text))
  expect(alter('ALTER TASK "my task" PAUSE;')).toEqual({ name: ['my task'], lenient: false, change: 'pause' })
  expect(alter('ALTER TASK IF EXISTS n SUSPEND')).toEqual({ name: ['n'], lenient: true, change: 'pause' })
  expect(alter('ALTER TASK n RESUME')?.change).toBe('resume')
  expect([alter('ALTER TASK n'), alter('ALTER TASK n PAUSE now')]).toEqual([null, null])
  const drop = (text: string) => readDropTask(readStatement(text))
  expect(drop('DROP TASK IF EXISTS n')).toEqual({ name: ['n'], lenient: true })
  expect([drop('DROP TASK'), drop('DROP TASK n m')]).toEqual([null, null])
})
