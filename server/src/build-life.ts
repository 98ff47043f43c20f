import type { Catalog } from './build-catalog.ts'
import type { Doors } from './build-doors.ts'
import type { Ground } from './build-ground.ts'
import type { Identity } from './build-identity.ts'
import type { LineageBase } from './build-lineage.ts'
import type { Loads } from './build-loads.ts'
import type { BuildOptions } from './build-options.ts'
import type { QueryServices } from './build-queries.ts'
import { queryJobs } from './build-query-jobs.ts'
import type { ResultServices } from './build-results.ts'
import type { BuiltDashboards } from './build-dashboards.ts'
import type { BuiltSchedules } from './build-schedules.ts'
import type { Tasks } from './build-tasks.ts'
import type { Job } from './jobs/jobs.ts'
import type { Editor } from './modules/editor/service.ts'
import type { ErrorReports } from './modules/log/service.ts'

export interface Wired
  extends
    Pick<BuildOptions, 'store'>,
    Pick<
      Ground,
      'warehouses' | 'compute' | 'clusters' | 'queryStore' | 'rateLimit' | 'announcements' | 'events'
    > {
  readonly catalog: Catalog
  readonly tasks: Tasks
  readonly identity: Identity
  readonly statements: QueryServices
  readonly kept: ResultServices
  readonly loads: Loads
  readonly lineage: LineageBase
  readonly editor: Editor
  readonly schedules: BuiltSchedules
  readonly dashboards: BuiltDashboards
  readonly errorReports: ErrorReports
  readonly doors: Doors
}

const MINUTE_MS = 60_000

/** Nothing runs yet: what the last server left behind is put right before anyone can ask. */
export async function recoverAll(wired: Wired): Promise<void> {
  const { identity, warehouses, statements, kept, loads, tasks, catalog } = wired
  const { queries, objectsChanged } = statements
  await identity.firewall.takeBackDue()
  await warehouses.recover()
  await queries.interruptUnfinished()
  await queries.prepareMonths()
  await kept.downloads.recover()
  await loads.recover()
  await tasks.materialized.assumeWritten()
  await catalog.recover({ objectsChanged, actorOf: identity.users.actorOf })
}

/** So long the certificate of the MySQL endpoint may be renewed before that is noticed. */
const CERTIFICATE_LOOK_MS = 10_000
/** And so long an idle client may stay who may not be here any more. */
const CLIENT_LOOK_MS = 30_000

const mysqlJobs = ({ mysql }: Doors): Job[] =>
  mysql
    ? [
        {
          name: 'look for a renewed certificate',
          everyMs: CERTIFICATE_LOOK_MS,
          run: () => mysql.renewCertificate(),
        },
        { name: 'look after idle MySQL clients', everyMs: CLIENT_LOOK_MS, run: () => mysql.check() },
      ]
    : []

/** What is done from time to time. */
export function allJobs(wired: Wired): Job[] {
  const { identity, tasks, catalog, doors, loads, rateLimit, errorReports, editor, announcements } = wired
  return [
    { name: 'forget nonces', everyMs: MINUTE_MS, run: doors.nonces.forgetExpired },
    ...mysqlJobs(doors),
    { name: 'forget attempts', everyMs: MINUTE_MS, run: rateLimit.forgetOld },
    ...[identity, tasks, wired.schedules, wired.dashboards, catalog].flatMap((part) => part.jobs),
    ...queryJobs({ ...wired, ...wired.statements, ...wired.kept }),
    ...loads.jobs,
    ...wired.lineage.jobs,
    ...wired.clusters.jobs(),
    { name: 'forget error reports', everyMs: 10 * MINUTE_MS, run: errorReports.forgetOld },
    { name: 'empty bins of queries', everyMs: 10 * MINUTE_MS, run: editor.emptyBins },
    { name: 'forget announcements', everyMs: 10 * MINUTE_MS, run: announcements.forgetOld },
  ]
}

/** In order: no new work, no running work, no warehouses, no readers, no engines, no store. */
export async function closeAll(wired: Wired): Promise<void> {
  const { store, identity, doors, loads, tasks, schedules, statements, kept, queryStore, warehouses } = wired
  const { materialized } = tasks
  await identity.close()
  doors.realtime.close()
  doors.privateHttp?.close()
  await doors.mysql?.close()
  await loads.closing()
  materialized.closing()
  schedules.closing()
  wired.dashboards.closing()
  await statements.queries.close()
  await loads.close()
  await materialized.idle()
  await schedules.idle()
  await wired.dashboards.idle()
  await wired.lineage.uses.flush()
  await statements.analyses.close()
  await doors.jsonReader.close()
  await queryStore.close()
  await doors.app.close()
  await warehouses.close()
  await kept.room.close()
  await wired.compute.close()
  wired.catalog.close()
  await store.close()
}
