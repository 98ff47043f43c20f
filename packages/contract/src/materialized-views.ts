import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { LIMITS } from './limits.ts'
import { ObjectPart } from './schema-objects.ts'

/** By hand, from time to time, or after changes of what it reads. */
const REFRESH_TRIGGERS = ['manual', 'schedule', 'changes'] as const
export type RefreshTrigger = (typeof REFRESH_TRIGGERS)[number]

/** `pending`: it is written down, and will run. */
const TASK_STATES = ['pending', 'running', 'success', 'failed'] as const
export type TaskState = (typeof TASK_STATES)[number]

/** Why a run began. */
const RUN_REASONS = ['create', 'manual', 'schedule', 'changes', 'submit'] as const
export type RunReason = (typeof RUN_REASONS)[number]

const Time = z.nullable(z.string())

/** One refresh of a materialized view, or one run of a submitted task. */
export const TaskRun = z.object({
  /** Also the request under which it is in the history. */
  runId: z.string(),
  queryId: z.nullable(z.string()),
  reason: z.enum(RUN_REASONS),
  state: z.enum(TASK_STATES),
  /** The user who requested it; null: the service, when it was due. */
  startedBy: z.nullable(z.string()),
  createdAt: z.string(),
  endedAt: Time,
  /** Rows that it has since; null where that is not known. */
  rows: z.nullable(z.int()),
  /** Empty unless it failed. */
  error: z.string(),
})
export type TaskRun = z.infer<typeof TaskRun>

/** An entry of a list. */
export const MaterializedView = z.object({
  mvName: z.string(),
  type: z.literal('materialized_view'),
  trigger: z.enum(REFRESH_TRIGGERS),
  paused: z.boolean(),
  lastRefreshState: z.nullable(z.enum(TASK_STATES)),
  lastRefreshAt: Time,
})
export type MaterializedView = z.infer<typeof MaterializedView>

const InDatabase = { catalog: ObjectPart, databaseName: ObjectPart, databaseId: z.optional(z.string()) }
const One = { ...InDatabase, mvName: ObjectPart }

export const MaterializedViewDetail = z.object({
  mvName: z.string(),
  /** The query as its user wrote it; empty for users who cannot read the view. */
  query: z.string(),
  /** As in its CREATE statement. */
  refresh: z.string(),
  trigger: z.enum(REFRESH_TRIGGERS),
  paused: z.boolean(),
  /** By whose rights it reads; null when they are gone. */
  owner: z.nullable(z.string()),
  /** In which it is refreshed; empty: the account's default. */
  warehouse: z.string(),
  createdAt: z.string(),
  /** When its rows are of; null: it was never refreshed. */
  refreshedAt: Time,
  /** What it reads has changed since. */
  changedAt: Time,
  nextRefreshAt: Time,
  lastRun: z.nullable(TaskRun),
})
export type MaterializedViewDetail = z.infer<typeof MaterializedViewDetail>

const CHANGED = ['NotFound', 'NoPermission', 'Conflict'] as const

/** Calls about one materialized view. */
export const materializedViewCalls = {
  materializedView: defineCall({
    path: '/schema/materialized-view',
    summary: 'Get the refresh settings and state of a materialized view',
    needs: 'login',
    input: z.object(One),
    output: MaterializedViewDetail,
    fails: ['NotFound'],
  }),
  refreshTasks: defineCall({
    path: '/schema/refresh-tasks',
    summary: 'List the refreshes of a materialized view, newest first',
    needs: 'login',
    input: z.object({
      ...One,
      offset: z._default(z.int().check(z.gte(0)), 0),
      limit: z._default(z.int().check(z.gte(1), z.lte(LIMITS.taskRunsPerView)), LIMITS.taskRunsPerView),
    }),
    output: z.object({ list: z.array(TaskRun), total: z.int() }),
    fails: ['NotFound'],
  }),
  refreshMaterializedView: defineCall({
    path: '/schema/refresh-materialized-view',
    summary: 'Start to refresh a materialized view',
    needs: 'login',
    input: z.object(One),
    output: z.object({ runId: z.string() }),
    fails: CHANGED,
  }),
  pauseMaterializedView: defineCall({
    path: '/schema/pause-materialized-view',
    summary: 'Pause or resume the automatic refreshes of a materialized view',
    needs: 'login',
    input: z.object({ ...One, paused: z.boolean() }),
    output: z.object({}),
    fails: ['NotFound', 'NoPermission'],
  }),
  dropMaterializedView: defineCall({
    path: '/schema/drop-materialized-view',
    summary: 'Drop a materialized view',
    needs: 'login',
    input: z.object({ ...One, evenIfUsed: z._default(z.boolean(), false) }),
    output: z.object({}),
    fails: [...CHANGED, 'QueryFailed'],
  }),
} as const
