import { z } from 'zod'
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
  sql: z.string(),
  kind: z.string(),
  state: z.enum(STATEMENT_STATES),
  /** For a statement that writes and was cut off: whether it took effect. */
  effect: z.enum(['taken', 'not taken', 'unknown']).nullable(),
  acceptedAt: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  rows: z.int().nullable(),
  /** Of the values that were handed over, as text in UTF-8; null when no engine handed over any. */
  bytes: z.int().nullable(),
  /**
   * The most memory that the engine was seen to use for statements while this one ran, those beside it included. It
   * looks every 0.2 s: null for what took less.
   */
  peakMemoryBytes: z.int().nullable(),
  /** Decimal text. */
  costCcu: z.string().nullable(),
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
export const ProfileNode: z.ZodType<ProfileNode> = z.object({
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
    input: QueryId.extend({
      offset: z.int().min(0),
      limit: z.int().min(1).max(LIMITS.selectRows),
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
    summary: 'One whole value of a kept result',
    needs: 'login',
    input: QueryId.extend({ row: z.int().min(0), column: z.int().min(0) }),
    output: z.object({ text: z.string().nullable() }),
    fails: ['NotFound', 'ResultExpired'],
  }),
  /** The link is good once, for ten minutes, for whoever has it. */
  exportResult: defineCall({
    path: '/query/export-result',
    summary: 'Make a file of a kept result, without running the statement again',
    needs: 'login',
    timeoutMs: 10 * 60_000,
    input: QueryId.extend({ format: ExportFormat }),
    output: z.object({ url: z.string(), fileName: z.string(), sizeBytes: z.int() }),
    fails: ['NotFound', 'ResultExpired', 'LimitReached', 'QuotaExceeded'],
  }),
  /** ACT-01: one's own statements; an account administrator sees everyone's (ACT-09). Newest first. */
  history: defineCall({
    path: '/query/history',
    summary: 'Statements that were accepted, newest first',
    needs: 'login',
    input: z.object({
      limit: z.int().min(1).max(200).default(50),
      /** The `next` of the page before. */
      after: z.string().max(64).optional(),
    }),
    output: z.object({ entries: z.array(HistoryEntry), next: z.string().nullable() }),
  }),
  /** ACT-02 */
  detail: defineCall({
    path: '/query/detail',
    summary: 'One statement of the history with its profile',
    needs: 'login',
    input: QueryId,
    output: z.object({ entry: HistoryEntry, profile: ProfileNode.nullable() }),
    fails: ['NotFound'],
  }),
}
