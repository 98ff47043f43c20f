import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { HistoryEntry } from './query.ts'
import { objectInput, TABLE_LIKE, TablePath } from './schema-objects.ts'

const Time = z.nullable(z.string())

/** What was counted in one hour; null where counting took too long. */
const TableMeasure = z.object({ at: z.string(), rows: z.nullable(z.int()), bytes: z.nullable(z.int()) })
export type TableMeasure = z.infer<typeof TableMeasure>

/** Days for which the uses of a table are summed up. */
export const USE_DAYS = 7

const TableFacts = z.object({
  /** Of a view, as whom it reads; of a table, who created it. Null: not recorded, or they were deleted. */
  owner: z.nullable(z.string()),
  createdAt: Time,
  /** When a statement last wrote to it. */
  changedAt: Time,
  /** The user who did; null: not recorded, or not for you to see. */
  changedBy: z.nullable(z.string()),
  /** Of everyone for account administrators, else your own. */
  use: z.object({
    ofEveryone: z.boolean(),
    statements: z.int(),
    users: z.int(),
    mostBy: z.nullable(z.string()),
  }),
  /** Read together with it, the most often first. */
  together: z.array(z.extend(TablePath, { times: z.int() })),
  /** Oldest first. */
  measures: z.array(TableMeasure),
})
export type TableFacts = z.infer<typeof TableFacts>

const LINK_KINDS = [...TABLE_LIKE, 'load', 'pipe', 'query'] as const

/** Something that feeds a table, or that it feeds. */
const LineageLink = z.object({
  kind: z.enum(LINK_KINDS),
  /** Of a load, the file. */
  name: z.string(),
  /** Of tables, views and pipes. */
  catalog: z.string(),
  database: z.string(),
  /** Of a load its task, of a pipe and of a saved query its id. */
  id: z.string(),
  /** The statement that links them; null: their definition does. */
  through: z.nullable(z.object({ queryId: z.string(), user: z.string(), at: z.string() })),
})
export type LineageLink = z.infer<typeof LineageLink>

const Lineage = z.object({
  from: z.array(LineageLink),
  to: z.array(LineageLink),
  /** How many more there are that the requester cannot see. */
  hidden: z.int(),
  /** Why the sources of a view are unknown; empty when they are known. */
  broken: z.string(),
})

/** The last of those that differ in their values alone. */
const UsingStatement = z.object({
  entry: HistoryEntry,
  reads: z.boolean(),
  writes: z.boolean(),
  times: z.int(),
})
export type UsingStatement = z.infer<typeof UsingStatement>

const One = objectInput({})

export const lineage = {
  facts: defineCall({
    path: '/lineage/facts',
    summary:
      'Get who owns a table or view, when it was changed, how much it is used, and its counted size over time',
    needs: 'login',
    input: One,
    output: TableFacts,
    fails: ['NotFound'],
  }),
  graph: defineCall({
    path: '/lineage/graph',
    summary:
      'List what writes to a table or view and what reads it: objects, loads, pipes and your saved queries',
    needs: 'login',
    input: One,
    output: Lineage,
    fails: ['NotFound'],
  }),
  statements: defineCall({
    path: '/lineage/statements',
    summary: 'List the statements of the last 30 days that read or wrote a table or view, newest first',
    needs: 'login',
    input: One,
    output: z.object({ list: z.array(UsingStatement), ofEveryone: z.boolean() }),
    fails: ['NotFound'],
  }),
} as const
