import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { LIMITS } from './limits.ts'
import { Moment } from './moment.ts'
import { BoundValues } from './parameters.ts'
import { PlanAdvice, ProfileNode } from './plan.ts'
import { Field, LongCell, Row } from './realtime.ts'
import { StatementCost } from './statement-cost.ts'

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

/** Where statements come in. */
export const DOORS = ['channel', 'http', 'mysql', 'ingest', 'mcp', 'service'] as const

/** What the history calls the sender of a preview. */
export const PREVIEW_PROGRAM = 'Preview'

/** By the time from when its turn came to its end. */
export const DURATION_CLASSES = ['short', 'medium', 'long'] as const
/** Short is below the first, long is above the second. */
export const DURATION_BOUNDS = { mediumFromMs: 10_000, mediumToMs: 600_000 } as const

/** One statement of the history: who, where, what, when, how it ended and what it cost. */
export const HistoryEntry = z.object({
  queryId: z.string(),
  requestId: z.string(),
  user: z.string(),
  door: z.string(),
  clientIp: z.string(),
  /** The VPC endpoint that it came through; empty: over the public address. */
  privateEndpoint: z.string(),
  /** What the program that sent it calls itself; empty where it does not say so. */
  program: z.string(),
  /** The name of the API key that it was sent with; empty: without one. */
  key: z.string(),
  warehouse: z.string(),
  catalog: z.string(),
  database: z.string(),
  /** In the list at most its first 2048 characters. */
  sql: z.string(),
  /** What was bound to its parameters; null: it was sent without values. */
  values: z.nullable(BoundValues),
  /** There is more of it, in the detail. */
  sqlCut: z.boolean(),
  /** Of the whole text where the history keeps only its beginning, to make room for newer ones; else null. */
  shortenedFromBytes: z.nullable(z.int()),
  kind: z.string(),
  state: z.enum(STATEMENT_STATES),
  /** For a statement that writes and was cut off: whether it took effect. */
  effect: z.nullable(z.enum(['taken', 'not taken', 'unknown'])),
  acceptedAt: z.string(),
  startedAt: z.nullable(z.string()),
  endedAt: z.nullable(z.string()),
  /**
   * From the start of its turn to its end, including the wait for its warehouse: the same as `timeUsed` on the channel.
   * Earlier statements of its text or connection are not included. Null: its turn has not come or never came, or it was
   * cut off. While it runs it is only in `/query/running`.
   */
  durationMs: z.nullable(z.number()),
  rows: z.nullable(z.int()),
  /** Of the values that were returned, as text in UTF-8; null when no engine returned any. */
  bytes: z.nullable(z.int()),
  /**
   * The most memory that the engine was seen to use for statements while this one ran, those beside it included. It
   * looks every 0.2 s: null for what took less.
   */
  peakMemoryBytes: z.nullable(z.int()),
  /** The same of what was written to disk for want of memory. */
  peakSpillBytes: z.nullable(z.int()),
  /** Until it was bound and its privileges were decided on; null where the engine does not tell. */
  compileMs: z.nullable(z.number()),
  /** From its last row to the last one returned. */
  fetchMs: z.nullable(z.number()),
  /** Null: it has cost nothing, and will not. */
  cost: z.nullable(StatementCost),
  /** Which kind of engine ran it; empty when none did. */
  engine: z.string(),
  error: z.string(),
  result: z.enum(['none', 'kept', 'expired']),
})
export type HistoryEntry = z.infer<typeof HistoryEntry>

/** What the list can be narrowed to; what is left out does not matter. */
export const HistoryFilter = z.object({
  /** By name. */
  user: z.optional(z.string().check(z.maxLength(256))),
  /** By the name that it has now, or by its id. */
  warehouse: z.optional(z.string().check(z.maxLength(36))),
  state: z.optional(z.enum(STATEMENT_STATES)),
  duration: z.optional(z.enum(DURATION_CLASSES)),
  door: z.optional(z.enum(DOORS)),
  /** By the name of the API key that it was sent with. */
  key: z.optional(z.string().check(z.maxLength(256))),
  /** Accepted at this moment or later. */
  from: z.optional(Moment),
  /** Accepted before this moment. */
  until: z.optional(Moment),
  /** In the first 2048 characters of the text, letter case ignored; or the id of a statement or a request. */
  text: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(256))),
})
export type HistoryFilter = z.infer<typeof HistoryFilter>

/** A running statement, as in the history and as the service sees it now. */
export const RunningStatement = z.extend(HistoryEntry, {
  /** 0 to 100; null when the engine cannot tell. */
  progress: z.nullable(z.number()),
  /** Rows read so far, as the engine estimates. */
  progressRows: z.nullable(z.number()),
  /** Position in the queue of its warehouse, from 1; null when it does not wait there. */
  queuePlace: z.nullable(z.int()),
  /**
   * Why it does not run yet: every slot of its warehouse is taken, its warehouse is starting, or the statement before
   * it still runs. Null when it runs.
   */
  waitsFor: z.nullable(z.enum(['slot', 'warehouse', 'statement'])),
})
export type RunningStatement = z.infer<typeof RunningStatement>

/** Another run of the same text. */
export const EarlierRun = z.object({
  queryId: z.string(),
  user: z.string(),
  state: z.enum(STATEMENT_STATES),
  acceptedAt: z.string(),
  endedAt: z.nullable(z.string()),
  /** As in the history. */
  durationMs: z.nullable(z.number()),
  rows: z.nullable(z.int()),
})
export type EarlierRun = z.infer<typeof EarlierRun>

/** What one run of a text took, before it is run again. */
export const PricedRun = z.object({
  queryId: z.string(),
  /** As in the history. */
  seconds: z.number(),
  rows: z.nullable(z.int()),
  /** As in the history; null when it cost nothing, or what it cost is not final yet. */
  usd: z.nullable(z.string()),
})
export type PricedRun = z.infer<typeof PricedRun>

export const StatementDetail = z.object({
  entry: HistoryEntry,
  /** How it ran; of an EXPLAIN, what it shows as a tree. Null where nothing was kept, or the plan has no tree. */
  profile: z.nullable(ProfileNode),
  advice: z.array(PlanAdvice),
  /** Of an EXPLAIN, what the engine answered; null of everything else. */
  plan: z.nullable(z.string()),
  /** Where in its text the error is, in UTF-16 units; null when that is not known. */
  errorOffset: z.nullable(z.int()),
  /** What is kept of its rows, for the user who ran it; null for others, and when nothing is kept. */
  kept: z.nullable(
    z.object({ rows: z.int(), columns: z.int(), complete: z.boolean(), expiresAt: z.string() }),
  ),
  /** Runs of the same text that one may see, newest first, this one among them. */
  runs: z.array(EarlierRun),
})
export type StatementDetail = z.infer<typeof StatementDetail>

const ExportId = z.string().check(z.regex(/^[A-Za-z0-9_-]{8,64}$/, 'Use 8 to 64 letters, digits, _ and -'))

export const query = {
  resultWindow: defineCall({
    path: '/query/result-window',
    summary: 'Get rows of a kept result',
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
    summary: 'Get one value of a kept result, or a part of it',
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
  /** The link works once, for ten minutes, for anyone who has it. */
  exportResult: defineCall({
    path: '/query/export-result',
    summary: 'Create a file from a kept result without running the statement again',
    needs: 'login',
    timeoutMs: 10 * 60_000,
    input: z.extend(QueryId, {
      format: ExportFormat,
      /** Made by the caller, to ask how far it is and to stop it. */
      exportId: z.optional(ExportId),
    }),
    output: z.object({ url: z.string(), fileName: z.string(), sizeBytes: z.int() }),
    fails: ['NotFound', 'ResultExpired', 'LimitReached', 'QuotaExceeded', 'Cancelled', 'Conflict'],
  }),
  exportState: defineCall({
    path: '/query/export-state',
    summary: 'Get the progress of a file from a kept result',
    needs: 'login',
    silent: true,
    input: z.object({ exportId: ExportId }),
    output: z.object({
      /** 0 to 100, null if it is unknown. */
      percent: z.nullable(z.number()),
      /** Written so far. */
      bytes: z.int(),
    }),
    fails: ['NotFound'],
  }),
  /** The call that makes the file then answers Cancelled, unless it is done. */
  stopExport: defineCall({
    path: '/query/stop-export',
    summary: 'Cancel a file from a kept result',
    needs: 'login',
    input: z.object({ exportId: ExportId }),
    output: z.object({}),
    fails: ['NotFound'],
  }),
  /** A request of its own under the given id, which is sent twice and run once. `/editor/kill` stops it. */
  runInFull: defineCall({
    path: '/query/run-in-full',
    summary: 'Run a statement again to create a file with all its rows',
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
    summary: 'Get the progress of a statement that runs again for all its rows',
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
  /** One's own statements; an account administrator sees everyone's. Newest first. */
  history: defineCall({
    path: '/query/history',
    summary: 'List statements, newest first',
    needs: 'login',
    input: z.extend(HistoryFilter, {
      limit: z._default(z.int().check(z.gte(1), z.lte(200)), 50),
      /** The `next` of the page before. */
      after: z.optional(z.string().check(z.maxLength(64))),
      /** Without what has not ended yet. */
      endedOnly: z._default(z.boolean(), false),
    }),
    output: z.object({
      entries: z.array(HistoryEntry),
      /**
       * Null when that was all. A page can have fewer entries than requested, even none, and still have a next one: a
       * search reads a limited part at a time.
       */
      next: z.nullable(z.string()),
      /** Back to when was looked, of a page that is not full though there is a next one. */
      searchedTo: z.nullable(z.string()),
    }),
  }),
  /** Those that have not ended, oldest first; also others' in a warehouse that one may alter. */
  running: defineCall({
    path: '/query/running',
    summary: 'List running and waiting statements with their progress',
    needs: 'login',
    input: z.object({ warehouseId: z.optional(z.uuid()) }),
    output: z.object({ entries: z.array(RunningStatement) }),
    fails: ['NotFound'],
  }),
  detail: defineCall({
    path: '/query/detail',
    summary: 'Get one statement with its profile, its kept result and other runs of its text',
    needs: 'login',
    input: QueryId,
    output: StatementDetail,
    fails: ['NotFound'],
  }),
  plan: defineCall({
    path: '/query/plan',
    summary: 'Get the plan of a statement as a tree, with advice',
    needs: 'login',
    input: QueryId,
    output: z.pick(StatementDetail, { profile: true, advice: true }),
    fails: ['NotFound'],
  }),
  /** For who wonders what a statement will cost: nothing is run, and nothing is guessed. */
  earlierRuns: defineCall({
    takesLarge: true,
    path: '/query/earlier-runs',
    summary: 'Get the duration and cost of the last finished runs of a statement',
    needs: 'login',
    silent: true,
    input: z.object({ sql: z.string().check(z.minLength(1), z.maxLength(LIMITS.sqlLength)) }),
    output: z.object({
      /** Of exactly this text, of those that one may see, newest first. */
      runs: z.array(PricedRun),
    }),
  }),
  /**
   * Only what reads. It stops when nobody waits for it, and when its user asks for the next one. What cannot be bound is
   * answered and not listed in the history; what ran is, as a statement of the program "Preview".
   */
  preview: defineCall({
    path: '/query/preview',
    summary: 'Get the first rows of a statement that is being written',
    needs: 'login',
    silent: true,
    stopsWithCaller: true,
    input: z.object({
      sql: z.string().check(z.minLength(1), z.maxLength(LIMITS.queryPreviewLength)),
      catalog: z.string().check(z.maxLength(256)),
      database: z.string().check(z.maxLength(256)),
      /** By name; empty: the account's own. */
      warehouse: z.string().check(z.maxLength(256)),
      values: z.optional(BoundValues),
      /** Whether a suspended warehouse is resumed for it. */
      resumes: z._default(z.boolean(), false),
    }),
    output: z.object({
      queryId: z.string(),
      fields: z.array(Field),
      rows: z.array(Row),
      longCells: z.array(LongCell),
      hasMore: z.boolean(),
      durationMs: z.number(),
      /** Why there are no rows. That a statement is not complete yet is no failure of the call. */
      problem: z.nullable(z.object({ code: z.string(), message: z.string() })),
    }),
    fails: ['ConnectionLimit'],
  }),
  /** The remaining statements of its text will not run. Its connection stays. */
  kill: defineCall({
    path: '/query/kill',
    summary: 'Stop a running or waiting statement',
    needs: 'login',
    input: QueryId,
    output: z.object({
      /** False: it had ended already. */
      stopped: z.boolean(),
    }),
    fails: ['NotFound'],
  }),
}
