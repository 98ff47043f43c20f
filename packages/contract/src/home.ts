import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { TablePath } from './schema-objects.ts'

const RecentQuery = z.object({ tabId: z.uuid(), tabName: z.string(), changedAt: z.string() })
export type RecentQuery = z.infer<typeof RecentQuery>

const RecentTable = z.extend(TablePath, { usedAt: z.string() })
export type RecentTable = z.infer<typeof RecentTable>

const RecentDashboard = z.object({ dashboardId: z.string(), name: z.string(), changedAt: z.string() })
export type RecentDashboard = z.infer<typeof RecentDashboard>

const RunningNow = z.object({
  queryId: z.string(),
  user: z.string(),
  /** The beginning of a long text. */
  sql: z.string(),
  acceptedAt: z.string(),
  /** 0 to 100; null when the engine cannot tell. */
  progress: z.nullable(z.number()),
  /** It waits for its warehouse, or for a statement before it. */
  waits: z.boolean(),
})

const Failure = z.object({
  kind: z.enum(['load', 'pipe']),
  /** Of the file that was loaded, or of the pipe. */
  name: z.string(),
  /** Of a pipe, its id; of a load, that of its task. */
  id: z.string(),
  catalog: z.string(),
  databaseName: z.string(),
  error: z.string(),
  /** When it was last tried. */
  at: z.string(),
})

/** A few of each, the latest first. */
const RecentWork = z.object({
  queries: z.array(RecentQuery),
  /** Those you may see, last changed first. */
  dashboards: z.array(RecentDashboard),
  /** Your statements used them last. */
  tables: z.array(RecentTable),
  running: z.array(RunningNow),
  failures: z.array(Failure),
  /** What runs and what failed is that of everyone, as for an account administrator; else one's own. */
  ofEveryone: z.boolean(),
})
export type RecentWork = z.infer<typeof RecentWork>

export const home = {
  recent: defineCall({
    path: '/home/recent',
    summary:
      'Get your recent queries, tables and dashboards, the running statements, and loads and pipes that failed',
    needs: 'login',
    input: z.object({}),
    output: RecentWork,
  }),
}
