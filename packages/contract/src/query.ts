import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { LIMITS } from './limits.ts'
import { Field, LongCell, Row } from './realtime.ts'

export const EXPORT_FORMATS = ['csv', 'json', 'parquet', 'xlsx'] as const
export const ExportFormat = z.enum(EXPORT_FORMATS)
export type ExportFormat = z.infer<typeof ExportFormat>

const QueryId = z.object({ queryId: z.uuid() })

/** States of a statement, from the moment it is accepted; the channel's four codes are coarser. */
export const STATEMENT_STATES = [
  'accepted',
  'running',
  'finished',
  'failed',
  'cancelled',
  'interrupted',
] as const

/** One statement of the history: who, where, what, when, how it ended and what it cost. */
export const HistoryEntry = z.object({
  queryId: z.string(),
  requestId: z.string(),
  user: z.string(),
  door: z.string(),
  clientIp: z.string(),
  warehouse: z.string(),
  catalog: z.string(),
  database: z.string(),
  /** In the list at most its first 2048 characters. */
  sql: z.string(),
  /** There is more of it, in the detail. */
  sqlCut: z.boolean(),
  kind: z.string(),
  state: z.enum(STATEMENT_STATES),
  /** For a statement that writes and was cut off: whether it took effect. */
  effect: z.nullable(z.enum(['taken', 'not taken', 'unknown'])),
  acceptedAt: z.string(),
  startedAt: z.nullable(z.string()),
  endedAt: z.nullable(z.string()),
  rows: z.nullable(z.int()),
  /** Of the values that were handed over, as text in UTF-8; null when no engine handed over any. */
  bytes: z.nullable(z.int()),
  /**
   * The most memory that the engine was seen to use for statements while this one ran, those beside it included. It
   * looks every 0.2 s: null for what took less.
   */
  peakMemoryBytes: z.nullable(z.int()),
  /** Decimal text. */
  costCcu: z.nullable(z.string()),
  /** Which kind of engine ran it, as `duckdb`; empty when none did. */
  engine: z.string(),
  error: z.string(),
  result: z.enum(['none', 'kept', 'expired']),
})
export type HistoryEntry = z.infer<typeof HistoryEntry>

/** An operator of the plan that really ran; times in milliseconds. */
export interface ProfileNode {
  operator: string
  detail: string
  timeMs: number
  rows: number
  children: ProfileNode[]
}
export const ProfileNode: z.ZodMiniType<ProfileNode> = z.object({
  operator: z.string(),
  detail: z.string(),
  timeMs: z.number(),
  rows: z.number(),
  children: z.array(z.lazy(() => ProfileNode)),
})

export const query = {
  resultWindow: defineCall({
    path: '/query/result-window',
    summary: 'Rows of a kept result',
    needs: 'login',
    input: z.extend(QueryId, {
      offset: z.int().check(z.gte(0)),
      limit: z.int().check(z.gte(1), z.lte(LIMITS.selectRows)),
    }),
    output: z.object({
      fields: z.array(Field),
      rows: z.array(Row),
      longCells: z.array(LongCell),
      totalRows: z.int(),
      /** False: the statement had more rows than are kept. */
      complete: z.boolean(),
      expiresAt: z.string(),
    }),
    fails: ['NotFound', 'ResultExpired'],
  }),
  resultCell: defineCall({
    path: '/query/result-cell',
    summary: 'One value of a kept result, or a part of it',
    needs: 'login',
    input: z.extend(QueryId, {
      row: z.int().check(z.gte(0)),
      column: z.int().check(z.gte(0)),
      /** Where the part begins, in UTF-16 units. */
      offset: z._default(z.int().check(z.gte(0)), 0),
      /** A character of two units is not split: the part may be shorter by one. */
      length: z._default(z.int().check(z.gte(2), z.lte(LIMITS.cellPartLength)), LIMITS.cellPartLength),
    }),
    output: z.object({
      text: z.nullable(z.string()),
      /** Of the whole value, in UTF-16 units. */
      length: z.int(),
    }),
    fails: ['NotFound', 'ResultExpired'],
  }),
  /** The link is good once, for ten minutes, for whoever has it. */
  exportResult: defineCall({
    path: '/query/export-result',
    summary: 'Make a file of a kept result, without running the statement again',
    needs: 'login',
    timeoutMs: 10 * 60_000,
    input: z.extend(QueryId, { format: ExportFormat }),
    output: z.object({ url: z.string(), fileName: z.string(), sizeBytes: z.int() }),
    fails: ['NotFound', 'ResultExpired', 'LimitReached', 'QuotaExceeded'],
  }),
  /** A request of its own under the given id, which is sent twice and run once. `/editor/kill` stops it. */
  runInFull: defineCall({
    path: '/query/run-in-full',
    summary: 'Run a statement again with all its rows, to make a file of them',
    needs: 'login',
    input: z.extend(QueryId, {
      requestId: z.string().check(z.minLength(1), z.maxLength(LIMITS.requestIdLength)),
    }),
    output: z.object({ requestId: z.string() }),
    fails: ['NotFound', 'Conflict', 'LimitReached', 'ConnectionLimit'],
  }),
  /** Once it has finished, `/query/export-result` makes the file of what is kept under its query id. */
  fullRunState: defineCall({
    path: '/query/full-run-state',
    summary: 'How far a statement is that is run with all its rows',
    needs: 'login',
    input: z.object({ requestId: z.string().check(z.maxLength(LIMITS.requestIdLength)) }),
    output: z.object({
      queryId: z.string(),
      state: z.enum(STATEMENT_STATES),
      /** 0 to 100, null while the engine cannot tell. */
      progress: z.nullable(z.number()),
      /** Read so far while it runs, kept once it has finished. */
      rows: z.nullable(z.number()),
      /** Why it did not finish. */
      error: z.string(),
    }),
    fails: ['NotFound'],
  }),
  /** ACT-01: one's own statements; an account administrator sees everyone's (ACT-09). Newest first. */
  history: defineCall({
    path: '/query/history',
    summary: 'Statements that were accepted, newest first',
    needs: 'login',
    input: z.object({
      limit: z._default(z.int().check(z.gte(1), z.lte(200)), 50),
      /** The `next` of the page before. */
      after: z.optional(z.string().check(z.maxLength(64))),
    }),
    output: z.object({ entries: z.array(HistoryEntry), next: z.nullable(z.string()) }),
  }),
  /** ACT-02 */
  detail: defineCall({
    path: '/query/detail',
    summary: 'One statement of the history with its profile',
    needs: 'login',
    input: QueryId,
    output: z.object({ entry: HistoryEntry, profile: z.nullable(ProfileNode) }),
    fails: ['NotFound'],
  }),
}
