import { z } from 'zod/mini'
import { WebhookUrl } from './alert.ts'
import { defineCall } from './call.ts'
import { CronProblem, parseCron } from './cron.ts'
import { LIMITS } from './limits.ts'
import { MESSAGES, UserName } from './rules.ts'
import { isTimeZone } from './time-zone.ts'

/** What is wrong with a cron expression; null: nothing. */
export function cronProblem(text: string): string | null {
  try {
    parseCron(text)
    return null
  } catch (error) {
    if (error instanceof CronProblem) return error.message
    throw error
  }
}

export const CronText = z.string().check(
  z.trim(),
  z.maxLength(LIMITS.cronLength, MESSAGES.maximumLength(LIMITS.cronLength)),
  z.refine((text) => cronProblem(text) === null, {
    error: ({ input }) => (typeof input === 'string' ? (cronProblem(input) ?? '') : ''),
  }),
)

export const TimeZone = z
  .string()
  .check(
    z.maxLength(LIMITS.timeZoneLength, MESSAGES.maximumLength(LIMITS.timeZoneLength)),
    z.refine(isTimeZone, 'Choose a time zone such as Europe/Berlin or UTC.'),
  )

/** `above` and `below`: of a column of numbers, in any row. `changed`: the rows are not those of the run before. */
export const CONDITION_KINDS = ['any row', 'no row', 'above', 'below', 'changed'] as const
export type ConditionKind = (typeof CONDITION_KINDS)[number]

export const comparesValue = (kind: ConditionKind): boolean => kind === 'above' || kind === 'below'

const Condition = z.object({
  kind: z.enum(CONDITION_KINDS),
  /** Empty unless a value is compared. */
  column: z._default(z.string().check(z.trim(), z.maxLength(LIMITS.identifierLength)), ''),
  value: z._default(z.number(), 0),
})
export type Condition = z.infer<typeof Condition>

const NamedCondition = Condition.check(
  z.refine(({ kind, column }) => !comparesValue(kind) || column !== '', {
    error: 'Enter the name of a column.',
    path: ['column'],
  }),
)

/** What became of what a run sent to the webhook of its schedule. */
const RunDelivery = z.object({
  deliveryId: z.uuid(),
  state: z.enum(['waiting', 'delivered', 'failed']),
  attempts: z.int(),
  /** Null once it has ended. */
  nextAttemptAt: z.nullable(z.string()),
  /** Of the last attempt; empty: there was none, or it was delivered. */
  error: z.string(),
})
export type RunDelivery = z.infer<typeof RunDelivery>

const ScheduleRun = z.object({
  /** Also the request under which it is in the history. */
  runId: z.string(),
  /** Null: somebody ran it at once. */
  dueAt: z.nullable(z.string()),
  state: z.enum(['pending', 'running', 'success', 'failed']),
  /** Of its last statement; null: none was begun. */
  queryId: z.nullable(z.string()),
  rows: z.nullable(z.int()),
  /** Empty unless it failed. */
  error: z.string(),
  /** Whether the condition held; null: there was none, or it could not be decided. */
  met: z.nullable(z.boolean()),
  /** Its users were notified, of the failure or of the condition. */
  notified: z.boolean(),
  /** Null: nothing was sent to a webhook, or it is forgotten, which it is after a week. */
  delivery: z.nullable(RunDelivery),
  createdAt: z.string(),
  endedAt: z.nullable(z.string()),
})
export type ScheduleRun = z.infer<typeof ScheduleRun>

const Schedule = z.object({
  scheduleId: z.uuid(),
  tabId: z.uuid(),
  queryName: z.string(),
  owner: z.string(),
  /** Only its owner changes and runs it. */
  isOwn: z.boolean(),
  cron: z.string(),
  timeZone: z.string(),
  /** Null: the default of the account. */
  warehouseId: z.nullable(z.string()),
  paused: z.boolean(),
  /** Null while it is paused. */
  nextRunAt: z.nullable(z.string()),
  lastRun: z.nullable(ScheduleRun),
  condition: z.nullable(Condition),
  /** So long nobody is notified of the condition again. */
  quietMinutes: z.int(),
  /** Who is notified beside the owner. */
  users: z.array(z.string()),
  /** Empty: no webhook. */
  url: z.string(),
})
export type Schedule = z.infer<typeof Schedule>

const ScheduleId = z.object({ scheduleId: z.uuid() })
const TabId = z.object({ tabId: z.uuid() })

/** Saved queries that run on a schedule. A saved query has one schedule at most. */
export const schedule = {
  list: defineCall({
    path: '/schedule/list',
    summary:
      'List your schedules, or as an account administrator those of all users, by the names of their queries',
    needs: 'login',
    input: z.object({}),
    output: z.object({ schedules: z.array(Schedule) }),
  }),
  find: defineCall({
    path: '/schedule/find',
    summary: 'Get the schedule of one of your saved queries; null: it has none',
    needs: 'login',
    silent: true,
    input: TabId,
    output: z.object({ schedule: z.nullable(Schedule) }),
    fails: ['NotFound'],
  }),
  save: defineCall({
    path: '/schedule/save',
    summary: 'Schedule a saved query, or change its schedule; the secret of its webhook is shown once',
    needs: 'login',
    input: z.object({
      tabId: z.uuid(),
      cron: CronText,
      timeZone: TimeZone,
      warehouseId: z._default(z.nullable(z.uuid()), null),
      condition: z._default(z.nullable(NamedCondition), null),
      quietMinutes: z._default(z.int().check(z.gte(0), z.lte(LIMITS.quietMinutesMax)), 0),
      users: z._default(z.array(UserName).check(z.maxLength(LIMITS.usersPerAlertRule)), []),
      url: z._default(WebhookUrl, ''),
    }),
    output: z.object({
      schedule: Schedule,
      /** Null where it stays as it was, or there is no webhook. */
      secret: z.nullable(z.string()),
    }),
    fails: ['BadInput', 'LimitReached', 'NotFound', 'NoPermission'],
  }),
  pause: defineCall({
    path: '/schedule/pause',
    summary: 'Pause a schedule, or resume your own',
    needs: 'login',
    input: z.object({ scheduleId: z.uuid(), paused: z.boolean() }),
    output: z.object({}),
    fails: ['NotFound', 'NoPermission'],
  }),
  delete: defineCall({
    path: '/schedule/delete',
    summary: 'Delete a schedule with its runs; the saved query stays',
    needs: 'login',
    input: ScheduleId,
    output: z.object({}),
    fails: ['NotFound'],
  }),
  run: defineCall({
    path: '/schedule/run',
    summary: 'Run your scheduled query now',
    needs: 'login',
    input: ScheduleId,
    output: z.object({ run: ScheduleRun }),
    fails: ['NotFound', 'NoPermission', 'Conflict'],
  }),
  runs: defineCall({
    path: '/schedule/runs',
    summary: 'List the runs of a schedule, newest first',
    needs: 'login',
    input: z.object({
      scheduleId: z.uuid(),
      offset: z._default(z.int().check(z.gte(0)), 0),
      limit: z._default(z.int().check(z.gte(1), z.lte(LIMITS.pageSize)), 20),
    }),
    output: z.object({ runs: z.array(ScheduleRun), total: z.int() }),
    fails: ['NotFound'],
  }),
}
