import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { ChartSettings } from './editor.ts'
import { LIMITS } from './limits.ts'
import { Parameters } from './parameters.ts'
import { Field, Row } from './realtime.ts'
import { MESSAGES } from './rules.ts'
import { CronText, TimeZone } from './schedule.ts'

const text = (length: number) => z.string().check(z.maxLength(length, MESSAGES.maximumLength(length)))

export const DashboardName = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, MESSAGES.enter('dashboard name')),
    z.maxLength(LIMITS.dashboardNameLength, MESSAGES.maximumLength(LIMITS.dashboardNameLength)),
  )

export const TILE_KINDS = ['chart', 'table', 'number', 'text'] as const

/** In cells of the grid. */
const Place = {
  x: z.int().check(z.gte(0), z.lt(LIMITS.dashboardColumns)),
  y: z.int().check(z.gte(0), z.lt(LIMITS.dashboardRows)),
  w: z.int().check(z.gte(1), z.lte(LIMITS.dashboardColumns)),
  h: z.int().check(z.gte(1), z.lte(LIMITS.tileHeight)),
}

const TileContent = {
  title: text(LIMITS.tileTitleLength),
  kind: z.enum(TILE_KINDS),
  /** Of a tile of text, shown as it is. */
  text: z._default(text(LIMITS.tileTextLength), ''),
  /** One statement that reads; empty of a tile of text, and for viewers as whom it does not run. */
  sql: z._default(text(LIMITS.tileSqlLength), ''),
  catalog: z._default(text(LIMITS.identifierLength), ''),
  database: z._default(text(LIMITS.identifierLength), ''),
  /** Null: the default of the account. */
  warehouseId: z._default(z.nullable(z.uuid()), null),
  /** The saved query that its text was copied from. */
  tabId: z._default(z.nullable(z.uuid()), null),
  /** Null: as its rows suggest. */
  chart: z._default(z.nullable(ChartSettings), null),
}

const isOnGrid = ({ x, w }: { x: number; w: number }): boolean => x + w <= LIMITS.dashboardColumns

const TileFields = z.object({ tileId: z.uuid(), ...Place, ...TileContent })
const Tile = TileFields.check(z.refine(isOnGrid, 'A tile ends within the twelve columns of the grid.'))
export type Tile = z.infer<typeof Tile>

/** Without its statement, for who looks at an embedded dashboard. */
export const ShownTile = z.pick(TileFields, {
  tileId: true,
  x: true,
  y: true,
  w: true,
  h: true,
  title: true,
  kind: true,
  text: true,
  chart: true,
})
export type ShownTile = z.infer<typeof ShownTile>

/** Without a place: it is put below all others. */
const NewTile = z.object(TileContent)
export type NewTile = z.infer<typeof NewTile>

const Tiles = z.array(Tile).check(
  z.maxLength(LIMITS.tilesPerDashboard, `A dashboard has at most ${LIMITS.tilesPerDashboard} tiles.`),
  z.refine((all) => new Set(all.map(({ tileId }) => tileId)).size === all.length, 'A tile is there twice.'),
  z.refine(
    (all) =>
      all.reduce((sum, { sql, text: own }) => sum + sql.length + own.length, 0) <= LIMITS.dashboardLength,
    `The texts of a dashboard have at most ${LIMITS.dashboardLength} characters.`,
  ),
)

/** `private`: its owner alone; `roles`: everyone with one of the roles. */
export const DASHBOARD_VIEWERS = ['private', 'account', 'roles'] as const
/** Whose privileges apply when a tile runs. */
export const DASHBOARD_RUNS_AS = ['viewer', 'owner'] as const

const Settings = z.object({
  viewers: z.enum(DASHBOARD_VIEWERS),
  /** Only with `roles`. */
  roles: z._default(z.array(text(LIMITS.roleNameLength)).check(z.maxLength(LIMITS.dashboardRoles)), []),
  runsAs: z.enum(DASHBOARD_RUNS_AS),
  /** When it is refreshed automatically, which needs to run as its owner; null: never. */
  schedule: z.nullable(z.object({ cron: CronText, timeZone: TimeZone })),
})
export type DashboardSettings = z.infer<typeof Settings>

const ListedDashboard = z.object({
  dashboardId: z.uuid(),
  name: z.string(),
  owner: z.string(),
  /** Only its owner changes it. */
  isOwn: z.boolean(),
  viewers: z.enum(DASHBOARD_VIEWERS),
  runsAs: z.enum(DASHBOARD_RUNS_AS),
  tileCount: z.int(),
  updatedAt: z.string(),
})
export type ListedDashboard = z.infer<typeof ListedDashboard>

const Dashboard = z.extend(ListedDashboard, {
  /** Of its content; who saves says which one they have seen. */
  revision: z.int(),
  roles: z.array(z.string()),
  schedule: z.nullable(z.object({ cron: z.string(), timeZone: z.string() })),
  nextRunAt: z.nullable(z.string()),
  tiles: z.array(Tile),
  /** Filters across tiles, with the values that they have at first. */
  parameters: Parameters,
})
export type Dashboard = z.infer<typeof Dashboard>

/** What a viewer has chosen for filters, by their names; the others keep their first values. */
const FilterValues = z
  .record(
    text(LIMITS.identifierLength),
    z.array(text(LIMITS.parameterLength)).check(z.maxLength(LIMITS.parameterValues)),
  )
  .check(z.refine((values) => Object.keys(values).length <= LIMITS.parameters, 'These are too many filters.'))
export type FilterValues = z.infer<typeof FilterValues>

export const TileResult = z.object({
  tileId: z.uuid(),
  /** Of the rows that can be fetched; null: there are none. */
  runId: z.nullable(z.string()),
  /** When those rows, or the error, came about. */
  refreshedAt: z.nullable(z.string()),
  /** Why the last run failed, or cannot begin; empty: it did not. */
  error: z.string(),
  isRunning: z.boolean(),
})
export type TileResult = z.infer<typeof TileResult>

const DashboardId = z.object({ dashboardId: z.uuid() })
const Wanted = z.extend(DashboardId, { values: z._default(FilterValues, {}) })
const Results = z.object({
  results: z.array(TileResult),
  /** When you can refresh it again; null: now. */
  refreshableAt: z.nullable(z.string()),
})
const Whole = z.object({ dashboard: Dashboard })

/** Tiles over kept results: one run serves everyone who sees it, or everyone has their own. */
export const dashboard = {
  list: defineCall({
    path: '/dashboard/list',
    summary: 'List the dashboards that you can see, by name',
    needs: 'login',
    silent: true,
    input: z.object({
      /** A part of the name. */
      search: z._default(text(LIMITS.dashboardNameLength), ''),
      isOwn: z._default(z.boolean(), false),
      offset: z._default(z.int().check(z.gte(0)), 0),
      limit: z._default(z.int().check(z.gte(1), z.lte(LIMITS.pageSize)), 50),
    }),
    output: z.object({ dashboards: z.array(ListedDashboard), total: z.int() }),
  }),
  create: defineCall({
    path: '/dashboard/create',
    summary: 'Create a dashboard, which only you can see at first',
    needs: 'login',
    input: z.object({ name: DashboardName }),
    output: Whole,
    fails: ['LimitReached', 'NoPermission'],
  }),
  detail: defineCall({
    path: '/dashboard/detail',
    summary: 'Get a dashboard with its tiles and filters',
    needs: 'login',
    silent: true,
    input: DashboardId,
    output: Whole,
    fails: ['NotFound'],
  }),
  save: defineCall({
    path: '/dashboard/save',
    summary: 'Save the name, the tiles and the filters of your dashboard',
    needs: 'login',
    takesLarge: true,
    input: z.extend(DashboardId, {
      revision: z.int(),
      name: DashboardName,
      tiles: Tiles,
      parameters: Parameters,
    }),
    output: Whole,
    fails: ['BadInput', 'Conflict', 'NotFound', 'NoPermission'],
  }),
  addTile: defineCall({
    path: '/dashboard/add-tile',
    summary: 'Add a tile to your dashboard, below all others',
    needs: 'login',
    takesLarge: true,
    input: z.extend(DashboardId, { tile: NewTile, parameters: z._default(Parameters, []) }),
    output: Whole,
    fails: ['BadInput', 'LimitReached', 'NotFound', 'NoPermission'],
  }),
  changeSettings: defineCall({
    path: '/dashboard/change-settings',
    summary: 'Change who can see your dashboard, as whom it runs, and when it is refreshed',
    needs: 'login',
    input: z.extend(DashboardId, { settings: Settings }),
    output: Whole,
    fails: ['BadInput', 'NotFound', 'NoPermission'],
  }),
  delete: defineCall({
    path: '/dashboard/delete',
    summary: 'Delete a dashboard: your own, or as an account administrator one that you can see',
    needs: 'login',
    input: DashboardId,
    output: z.object({}),
    fails: ['NotFound', 'NoPermission'],
  }),
  results: defineCall({
    path: '/dashboard/results',
    summary: 'Get what there is of each tile: its last rows, its last error, and whether it runs',
    needs: 'login',
    silent: true,
    input: Wanted,
    output: Results,
    fails: ['BadInput', 'NotFound', 'NoPermission'],
  }),
  refresh: defineCall({
    path: '/dashboard/refresh',
    summary: 'Run the tiles of a dashboard; a tile that already runs for another viewer does not run twice',
    needs: 'login',
    input: z.extend(Wanted, {
      /** Null: all of them. */
      tileIds: z._default(z.nullable(z.array(z.uuid()).check(z.maxLength(LIMITS.tilesPerDashboard))), null),
      /** Only those that have neither rows nor an error. */
      onlyMissing: z._default(z.boolean(), false),
    }),
    output: Results,
    fails: ['BadInput', 'Conflict', 'LimitReached', 'NotFound', 'NoPermission'],
  }),
  rows: defineCall({
    path: '/dashboard/rows',
    summary: 'Get the rows of one tile, as it was last refreshed',
    needs: 'login',
    silent: true,
    input: z.extend(DashboardId, { runId: z.uuid() }),
    output: z.object({
      fields: z.array(Field),
      /** The first of them; long values are cut. */
      rows: z.array(Row),
      totalRows: z.int(),
      /** False: the statement had more rows than are kept. */
      complete: z.boolean(),
    }),
    fails: ['NotFound', 'ResultExpired', 'NoPermission'],
  }),
}
