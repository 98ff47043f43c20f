import type {
  LoadTask,
  Pipe,
  RecentDashboard,
  RecentQuery,
  RecentTable,
  RecentWork,
  RunningStatement,
} from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'

interface Page {
  readonly offset: number
  readonly limit: number
}

type RecentTables = readonly (Omit<RecentTable, 'usedAt'> & { readonly at: string })[]

/** Each gives only what this user may see, newest first. */
export interface HomeParts {
  readonly editor: { recent(actor: Actor, most: number): Promise<RecentQuery[]> }
  readonly lineage: { recentTables(actor: Actor, most: number): Promise<RecentTables> }
  readonly dashboards: { recent(actor: Actor, most: number): Promise<RecentDashboard[]> }
  readonly activity: { running(actor: Actor): Promise<readonly { readonly entry: RunningStatement }[]> }
  readonly tasks: { list(actor: Actor, page: Page): Promise<{ readonly list: readonly LoadTask[] }> }
  readonly pipes: {
    list(actor: Actor, page: Page): Promise<{ readonly whole: readonly { readonly pipe: Pipe }[] }>
  }
}

/** Of each kind. */
const MOST = 5
/** So many of the latest are looked through for those that failed. */
const LOOKED_AT = { offset: 0, limit: 50 }
/** The beginning of a text says which it is. */
const SQL_LENGTH = 200

type Failure = RecentWork['failures'][number]

const failedLoad = ({ taskId: id, fileName: name, error, ...task }: LoadTask): Failure => ({
  kind: 'load',
  id,
  name,
  catalog: task.catalog,
  databaseName: task.databaseName,
  error,
  at: task.endedAt ?? task.createdAt,
})

const failedPipe = ({ pipeId: id, name, catalog, databaseName, ...pipe }: Pipe): Failure => ({
  kind: 'pipe',
  id,
  name,
  catalog,
  databaseName,
  error: pipe.reason || pipe.lastError,
  at: pipe.listedAt ?? pipe.createdAt,
})

const runningNow = ({ entry }: { readonly entry: RunningStatement }): RecentWork['running'][number] => ({
  queryId: entry.queryId,
  user: entry.user,
  sql: entry.sql.slice(0, SQL_LENGTH),
  acceptedAt: entry.acceptedAt,
  progress: entry.progress,
  waits: entry.waitsFor !== null,
})

/** What somebody was working on, and what needs them. */
export function createHome({ editor, lineage, dashboards, activity, tasks, pipes }: HomeParts) {
  return {
    async recent(actor: Actor): Promise<RecentWork> {
      const [queries, tables, shown, running, loads, piped] = await Promise.all([
        editor.recent(actor, MOST),
        lineage.recentTables(actor, MOST),
        dashboards.recent(actor, MOST),
        activity.running(actor),
        tasks.list(actor, LOOKED_AT),
        pipes.list(actor, LOOKED_AT),
      ])
      const failures = [
        ...loads.list.filter(({ state }) => state === 'failed').map(failedLoad),
        ...piped.whole
          .map(({ pipe }) => pipe)
          .filter(({ reason, lastError }) => reason !== '' || lastError !== '')
          .map(failedPipe),
      ]
      return {
        queries,
        dashboards: shown,
        tables: tables.map(({ at: usedAt, ...table }) => ({ ...table, usedAt })),
        running: running.slice(-MOST).toReversed().map(runningNow),
        failures: failures.toSorted((one, other) => other.at.localeCompare(one.at)).slice(0, MOST),
        ofEveryone: actor.activeRoles.includes('account_admin'),
      }
    },
  }
}

export type Home = ReturnType<typeof createHome>
