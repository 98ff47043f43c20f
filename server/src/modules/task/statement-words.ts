import { AppError } from '../../kernel/app-error.ts'
import { NO_ROWS } from '../query/sessions/own-rows.ts'
import type { SessionEffect, SessionTools } from '../query/sessions/session-tools.ts'
import { readableIn } from '../query/sessions/unreadable.ts'
import type { Who } from './task-parts.ts'

const FORMS = {
  create:
    "CREATE MATERIALIZED VIEW [IF NOT EXISTS] [[catalog.]database.]name [COMMENT 'text'] [REFRESH [IMMEDIATE|DEFERRED] MANUAL | ASYNC [START ('time')] EVERY (INTERVAL n MINUTE|HOUR|DAY|WEEK) | AFTER CHANGES] [PROPERTIES (\"warehouse\" = 'name')] AS SELECT …",
  alter:
    'ALTER MATERIALIZED VIEW [IF EXISTS] name PAUSE | RESUME | RENAME new_name | REFRESH MANUAL | REFRESH ASYNC EVERY (INTERVAL n unit) | REFRESH AFTER CHANGES',
  drop: 'DROP MATERIALIZED VIEW [IF EXISTS] name',
  refresh: 'REFRESH MATERIALIZED VIEW name [WITH SYNC|ASYNC MODE]',
  show: "SHOW MATERIALIZED VIEWS [FROM [catalog.]database] [LIKE 'pattern' | WHERE name = 'name']",
  showCreate: 'SHOW CREATE MATERIALIZED VIEW [[catalog.]database.]name',
  submit:
    "SUBMIT TASK [name] [SCHEDULE [START ('time')] EVERY (INTERVAL n MINUTE|HOUR|DAY|WEEK)] AS INSERT …, or another statement that writes",
  alterTask: 'ALTER TASK [IF EXISTS] name PAUSE | RESUME',
  dropTask: 'DROP TASK [IF EXISTS] name',
  showTasks: "SHOW TASKS or SHOW TASK RUNS, with [LIKE 'pattern' | WHERE condition] if wanted",
} as const

export const DONE: SessionEffect = { result: NO_ROWS }

export const readable = readableIn(FORMS)

export const whoOf = ({ actor, clientIp }: SessionTools): Who => ({ actor, clientIp: clientIp ?? '' })

/** With IF EXISTS, a missing object is no error. */
export async function unlessMissing(lenient: boolean, work: () => Promise<unknown>): Promise<SessionEffect> {
  try {
    await work()
  } catch (error) {
    if (!(lenient && error instanceof AppError && error.code === 'NotFound')) throw asStatement(error)
  }
  return DONE
}

/** Of a statement, what is not there is a fault of its text. */
export const asStatement = (error: unknown): unknown =>
  error instanceof AppError && (error.code === 'NotFound' || error.code === 'NameTaken')
    ? new AppError('QueryFailed', error.message)
    : error

export const timeText = (at: Date | null | undefined): string | null =>
  at?.toISOString().slice(0, 19).replace('T', ' ') ?? null
