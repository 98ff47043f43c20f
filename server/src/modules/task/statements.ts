import { LIMITS, objectOf } from '@boathouse/contract'
import {
  likeMatcher,
  readAlterMaterializedView,
  readCreateMaterializedView,
  readDropMaterializedView,
  readRefreshMaterializedView,
  readShow,
  type Statement,
  type StatementKind,
} from '@boathouse/sql'
import { AppError } from '../../kernel/app-error.ts'
import {
  type Answer,
  inCatalogs,
  type SessionEffect,
  type SessionTools,
} from '../query/sessions/session-tools.ts'
import type { MaterializedViews, ViewPlace } from './service.ts'
import type { WholeView } from './view-listing.ts'
import type { RunRow } from './run-store.ts'
import { ownRows } from '../query/sessions/own-rows.ts'
import { asStatement, DONE, readable, timeText, unlessMissing, whoOf } from './statement-words.ts'

/** An unqualified name is in the database of the connection. */
async function placeOf(
  parts: readonly string[],
  { connection, catalogNamed }: SessionTools,
): Promise<ViewPlace> {
  const [name = '', database = connection.database, catalog = connection.catalog, ...outer] =
    parts.toReversed()
  if (database === null)
    throw new AppError('QueryFailed', 'No database is selected. Write USE database first.')
  if (outer.length > 0 || name === '' || name.length > LIMITS.identifierLength)
    throw new AppError(
      'QueryFailed',
      `A materialized view is named by [[catalog.]database.]name, of at most ${LIMITS.identifierLength} characters each.`,
    )
  return { catalog: await catalogNamed(catalog), database, name }
}

function newNameIn({ newName }: { newName: string }): string {
  if (newName.length <= LIMITS.identifierLength) return newName
  throw new AppError('QueryFailed', `A name has at most ${LIMITS.identifierLength} characters.`)
}

/** Where it will be, by the true name of its database; throws when something else has its name. */
async function freePlace(wanted: ViewPlace, { lookInEngine }: SessionTools): Promise<ViewPlace> {
  const database = await lookInEngine(inCatalogs((lists) => lists.databaseNamed(wanted)))
  if (database === null)
    throw new AppError(
      'QueryFailed',
      `The database ${wanted.database} does not exist. SHOW DATABASES lists those that do.`,
    )
  const place = { ...wanted, database }
  for (const type of ['table', 'view'] as const)
    if (await lookInEngine(inCatalogs((lists) => lists.objectNamed(place, { type, name: place.name }))))
      throw new AppError(
        'QueryFailed',
        `A table or view ${place.name} already exists in the database ${database}. Choose another name.`,
      )
  return place
}

type UsableWarehouse = Awaited<ReturnType<SessionTools['warehouses']>>[number]

/** A view is filled where its rows lie: no engine writes into the catalog of another one. */
function requireWriting(
  warehouse: UsableWarehouse | undefined,
  { catalog }: ViewPlace,
  all: readonly UsableWarehouse[],
): void {
  const own = warehouse?.catalog ?? null
  const isWritten = own === null ? all.every((one) => one.catalog !== catalog) : own === catalog
  if (!warehouse || isWritten) return
  const there = all.filter((one) => (own === null ? one.catalog === catalog : one.catalog === undefined))
  const others = there.length > 0 ? `, such as ${there[0]?.name}` : ''
  throw new AppError(
    'QueryFailed',
    `The warehouse ${warehouse.name} writes no tables of the catalog ${catalog}, so it cannot fill this materialized view. Choose ${own === null ? 'one that does' : `the catalog ${own}, or a warehouse of the embedded engine`}${others}: SET WAREHOUSE, or PROPERTIES ("warehouse" = "…").`,
  )
}

async function warehouseFor(
  properties: ReadonlyMap<string, string>,
  place: ViewPlace,
  tools: SessionTools,
): Promise<string | null> {
  const usable = await tools.warehouses()
  const unknown = [...properties.keys()].find((name) => name !== 'warehouse')
  if (unknown !== undefined)
    throw new AppError('QueryFailed', `There is no property ${unknown}. The only property is "warehouse".`)
  const name = properties.get('warehouse')
  if (name === undefined) {
    const { warehouseId } = tools.connection
    const chosen = usable.find((one) => one.warehouse_id === warehouseId)
    requireWriting(chosen, place, usable)
    return warehouseId
  }
  const found = usable.find((one) => one.name.toLowerCase() === name.toLowerCase())
  if (!found)
    throw new AppError('QueryFailed', `The warehouse ${name} does not exist, or you may not use it.`)
  requireWriting(found, place, usable)
  return found.warehouse_id
}

const LISTED = [
  'id',
  'database_name',
  'name',
  'refresh_type',
  'is_active',
  'inactive_reason',
  'partition_type',
  'task_id',
  'task_name',
  'last_refresh_start_time',
  'last_refresh_finished_time',
  'last_refresh_duration',
  'last_refresh_state',
  'last_refresh_force_refresh',
  'last_refresh_start_partition',
  'last_refresh_end_partition',
  'last_refresh_base_refresh_partitions',
  'last_refresh_mv_refresh_partitions',
  'last_refresh_error_code',
  'last_refresh_error_message',
  'rows',
  'text',
  'extra_message',
  'query_rewrite_status',
  'creator',
  'warehouse',
  'refresh_mode',
  'refresh_trigger',
  'refresh_policy',
]

const secondsOf = (run: RunRow | undefined): string | null =>
  run?.ended_at ? ((run.ended_at.getTime() - run.created_at.getTime()) / 1_000).toFixed(3) : null

const TRIGGERS = { manual: 'MANUAL', schedule: 'PERIODIC', changes: 'ON CHANGE' } as const

const listedRow = ({ view, lastRun, owner, warehouse, refresh, mayRead }: WholeView): (string | null)[] => [
  view.view_id,
  view.database,
  view.name,
  view.trigger === 'manual' ? 'MANUAL' : 'ASYNC',
  String(!view.paused),
  view.paused ? 'Paused by ALTER MATERIALIZED VIEW' : '',
  'UNPARTITIONED',
  view.view_id,
  view.name,
  timeText(lastRun?.created_at),
  timeText(lastRun?.ended_at),
  secondsOf(lastRun),
  lastRun?.state.toUpperCase() ?? null,
  'true',
  null,
  null,
  null,
  null,
  lastRun?.state === 'failed' ? '1' : '0',
  lastRun?.error ?? '',
  lastRun?.row_count == null ? null : String(lastRun.row_count),
  mayRead ? view.query : null,
  view.changed_at ? `The data it reads has changed since ${timeText(view.changed_at)}` : '',
  'INVALID',
  owner,
  warehouse,
  'FULL',
  TRIGGERS[view.trigger],
  refresh,
]

/** Statements about materialized views: the same functions as behind the calls. */
export function materializedViewStatements(views: MaterializedViews): Partial<Record<StatementKind, Answer>> {
  async function create(statement: Statement, tools: SessionTools): Promise<SessionEffect> {
    const read = readable(readCreateMaterializedView(statement), 'create')
    const wanted = await placeOf(read.name, tools)
    const { catalog, database } = wanted
    await tools.require({
      privilege: 'CREATE MATERIALIZED VIEW',
      object: objectOf('database', { catalog, database }),
    })
    if (read.lenient && (await isThere(wanted, tools))) return DONE
    if ((read.comment ?? '').length > LIMITS.commentLength)
      throw new AppError('QueryFailed', `A comment has at most ${LIMITS.commentLength} characters.`)
    const { connection, stop } = tools
    const place = await freePlace(wanted, tools)
    const asked = {
      place,
      query: read.query,
      comment: read.comment ?? '',
      refresh: read.refresh,
      deferred: read.deferred,
      home: { catalog: connection.catalog, database: connection.database },
      warehouseId: await warehouseFor(read.properties, place, tools),
      stop,
    }
    await views.create(whoOf(tools), asked).catch((error: unknown) => {
      throw asStatement(error)
    })
    return DONE
  }

  async function isThere(wanted: ViewPlace, { actor }: SessionTools): Promise<boolean> {
    try {
      await views.find(actor, wanted)
      return true
    } catch (error) {
      if (error instanceof AppError && error.code === 'NotFound') return false
      throw error
    }
  }

  async function refresh(statement: Statement, tools: SessionTools): Promise<SessionEffect> {
    const { name, waits } = readable(readRefreshMaterializedView(statement), 'refresh')
    return unlessMissing(false, async () => {
      const stop = waits ? tools.stop : undefined
      const at = await placeOf(name, tools)
      const { ended } = await views.refresh(tools.actor, at, stop)
      if (!waits) return
      const end = await ended
      if (end.state === 'failed')
        throw new AppError(end.code, `${at.name} was not refreshed. Its rows are unchanged. ${end.error}`)
      if (end.state === 'open')
        throw new AppError(
          'Interrupted',
          'The engine ended while it ran. SHOW MATERIALIZED VIEWS shows the state.',
        )
    })
  }

  async function alter(statement: Statement, tools: SessionTools): Promise<SessionEffect> {
    const { name, lenient, change } = readable(readAlterMaterializedView(statement), 'alter')
    const [who, at] = [whoOf(tools), await placeOf(name, tools)]
    return unlessMissing(lenient, () => {
      if (typeof change === 'string') return views.pause(who, at, change === 'pause')
      if ('newName' in change) return views.rename(who, at, newNameIn(change))
      return views.changeRefresh(who, at, change)
    })
  }

  async function show(statement: Statement, tools: SessionTools): Promise<SessionEffect> {
    const read = readable(readShow(statement), 'show')
    const { connection } = tools
    const database = read.from?.at(-1) ?? connection.database
    if (database === null)
      throw new AppError('QueryFailed', 'No database is selected. Write USE database first.')
    const isLike = likeMatcher(read.like)
    const catalog = await tools.catalogNamed(read.from?.at(-2) ?? connection.catalog)
    const found = await views.listWhole(tools.actor, { catalog, database })
    return { result: ownRows(LISTED, found.filter(({ view }) => isLike(view.name)).map(listedRow)) }
  }

  return {
    'create-materialized-view': create,
    'alter-materialized-view': alter,
    'refresh-materialized-view': refresh,
    'drop-materialized-view': (statement, tools) => {
      const { name, lenient } = readable(readDropMaterializedView(statement), 'drop')
      return unlessMissing(lenient, async () => views.drop(whoOf(tools), await placeOf(name, tools)))
    },
    'show-materialized-views': show,
    'show-create-materialized-view': async (statement, tools) => {
      const at = await placeOf(readable(readShow(statement)?.from ?? null, 'showCreate'), tools)
      const text = await views.createStatement(tools.actor, at).catch((error: unknown) => {
        throw asStatement(error)
      })
      return { result: ownRows(['Materialized View', 'Create Materialized View'], [[at.name, text]]) }
    },
  }
}
