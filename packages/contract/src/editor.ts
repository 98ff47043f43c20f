import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { liveCalls } from './editor-live.ts'
import { QueryAccess, shareCalls } from './editor-shares.ts'
import { versionCalls } from './editor-versions.ts'
import { LIMITS } from './limits.ts'
import { Parameters } from './parameters.ts'
import { PivotSettings } from './pivot.ts'
import { FolderName, QueryName } from './rules.ts'

export const CHART_KINDS = ['bar', 'line', 'area', 'scatter', 'number'] as const
export type ChartKind = (typeof CHART_KINDS)[number]

/** By their names, so that another run of the query is drawn in the same way. */
const ColumnName = z.string().check(z.maxLength(LIMITS.chartColumnLength))

/** What rows of the same place become. */
export const CHART_AGGREGATES = ['none', 'sum', 'average', 'least', 'most', 'count'] as const
export const CHART_STACKS = ['none', 'stacked', 'percent'] as const
/** A line on the scale of the bars, or on one of its own. */
export const CHART_OVERLAYS = ['none', 'line', 'axis'] as const
export const CHART_GRAINS = ['none', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const
export const CHART_ORDERS = ['rows', 'name', 'value'] as const
export const CHART_FORMATS = ['short', 'exact', 'percent', 'usd', 'eur', 'bytes'] as const

/** How the rows of a query are drawn. What an older query does not say has no effect. */
export const ChartSettings = z.object({
  kind: z.enum(CHART_KINDS),
  /** The column along the chart. */
  x: ColumnName,
  /** What is drawn, one series each. */
  y: z.array(ColumnName).check(z.maxLength(LIMITS.chartSeries)),
  /** The column whose values are the series, of the first value alone; empty: the values are the series. */
  by: z._default(ColumnName, ''),
  aggregate: z._default(z.enum(CHART_AGGREGATES), 'none'),
  /** Of times along the chart. */
  grain: z._default(z.enum(CHART_GRAINS), 'none'),
  stack: z._default(z.enum(CHART_STACKS), 'none'),
  isHorizontal: z._default(z.boolean(), false),
  /** The last value of several is drawn as a line over the bars of the others. */
  overlay: z._default(z.enum(CHART_OVERLAYS), 'none'),
  order: z._default(z.enum(CHART_ORDERS), 'rows'),
  /** Only so many names, and the others as one; 0: all. */
  top: z._default(z.int().check(z.gte(0), z.lte(LIMITS.chartTop)), 0),
  format: z._default(z.enum(CHART_FORMATS), 'short'),
  /** The chart is looked at, and not the rows. */
  shown: z.boolean(),
})
export type ChartSettings = z.infer<typeof ChartSettings>

/** How the rows of a query are looked at: as a chart, and what was added later, as a pivot and as more charts. */
export const ResultLook = z.extend(ChartSettings, {
  /** Null: they were never pivoted. */
  pivot: z._default(z.nullable(PivotSettings), null),
  /** The pivot is looked at, and neither the rows nor the chart. */
  isPivoted: z._default(z.boolean(), false),
  /** More charts of the same rows, in their order; the one above stands among them at `chartAt`. */
  otherCharts: z._default(z.array(ChartSettings).check(z.maxLength(LIMITS.charts - 1)), []),
  chartAt: z._default(z.int().check(z.gte(0), z.lt(LIMITS.charts)), 0),
})
export type ResultLook = z.infer<typeof ResultLook>

/** `revision` lets a late save see that it would overwrite a newer text. */
export const EditorTab = z.object({
  tabId: z.uuid(),
  tabName: z.string(),
  parentFolderName: z.string(),
  catalog: z.string(),
  database: z.string(),
  sql: z.string(),
  revision: z.int(),
  /** Not among the open tabs. */
  hidden: z.boolean(),
  active: z.boolean(),
  /** Read-only: editing it creates a copy. */
  sample: z.boolean(),
  /** Null: its rows were never drawn. */
  chart: z.nullable(ResultLook),
  /** With their values of now, as far as they were described or given. */
  parameters: Parameters,
  access: QueryAccess,
  /** The name of the user whose query it is. */
  owner: z.string(),
})
export type EditorTab = z.infer<typeof EditorTab>

/** `bizId` is the id of the entry, a folder or a tab. */
const SavedTab = z.object({
  bizId: z.string(),
  tabName: z.string(),
  parentFolderName: z.string(),
  parentId: z.string(),
  hidden: z.boolean(),
  active: z.boolean(),
  sample: z.boolean(),
  /** Among the open tabs, from left to right. */
  position: z.int(),
  /** When it was last closed; empty: never. */
  closedAt: z.string(),
  /** Others have access to it, not counting those of its folder. */
  isShared: z.boolean(),
})
export type SavedTab = z.infer<typeof SavedTab>

export interface SavedFolder {
  bizId: string
  folder: string
  parentId: string
  parentFolderName: string
  /** Others have access to what is in it, not counting those of the folders above. */
  isShared: boolean
  tabs: SavedTab[]
  children: SavedFolder[]
}
const SavedFolder: z.ZodMiniType<SavedFolder> = z.object({
  bizId: z.string(),
  folder: z.string(),
  parentId: z.string(),
  parentFolderName: z.string(),
  isShared: z.boolean(),
  tabs: z.array(SavedTab),
  children: z.array(z.lazy(() => SavedFolder)),
})

/** In the bin for 30 days, then gone. */
const DeletedTab = z.object({
  tabId: z.uuid(),
  tabName: z.string(),
  /** The beginning of its text. */
  sql: z.string(),
  deletedAt: z.string(),
})
export type DeletedTab = z.infer<typeof DeletedTab>

const TabId = z.object({ tabId: z.uuid() })
const FolderId = z.object({ folderId: z.uuid() })
/** Of a folder; empty: the top. */
const Parent = z.union([z.uuid(), z.literal('')])
const TabIds = z.array(z.uuid()).check(z.minLength(1), z.maxLength(LIMITS.savedQueries))
const Sql = z.string().check(z.maxLength(LIMITS.sqlLength))
const PlaceName = z.string().check(z.maxLength(LIMITS.identifierLength))

export const editor = {
  ...liveCalls,
  ...shareCalls,
  ...versionCalls,
  /** Also how saved queries are fetched. */
  listTabTree: defineCall({
    path: '/editor/list-tab-tree',
    summary: 'List your saved queries and folders',
    needs: 'login',
    render: true,
    input: z.object({}),
    output: z.object({
      folders: z.array(SavedFolder),
      tabs: z.array(SavedTab),
      /** Queries of others that you have open. */
      shared: z.array(SavedTab),
    }),
  }),
  createTab: defineCall({
    takesLarge: true,
    path: '/editor/create-tab',
    summary: 'Create a tab',
    needs: 'login',
    input: z.object({
      /** Chosen by the caller, who can then send it again: the tab is created once, and restored from the bin. */
      tabId: z.optional(z.uuid()),
      tabName: QueryName,
      sql: z._default(Sql, ''),
      folderId: z._default(Parent, ''),
      catalog: z._default(PlaceName, ''),
      database: z._default(PlaceName, ''),
      parameters: z._default(Parameters, []),
    }),
    output: EditorTab,
    fails: ['LimitReached', 'NotFound', 'QuotaExceeded'],
  }),
  updateTabName: defineCall({
    path: '/editor/update-tab-name',
    summary: 'Rename a tab',
    needs: 'login',
    input: z.object({ tabId: z.uuid(), tabName: QueryName }),
    output: z.object({}),
    fails: ['NotFound', 'QuotaExceeded'],
  }),
  /** The query stays saved. */
  hideTab: defineCall({
    path: '/editor/hide-tab',
    summary: 'Close a tab',
    needs: 'login',
    input: TabId,
    output: z.object({}),
    fails: ['NotFound'],
  }),
  deleteTabs: defineCall({
    path: '/editor/delete-tabs',
    summary: 'Move tabs to the bin; tabs that no longer exist are skipped',
    needs: 'login',
    input: z.object({ tabIds: TabIds }),
    output: z.object({ deleted: z.int() }),
  }),
  /** The order of open tabs, from left to right. */
  orderTabs: defineCall({
    path: '/editor/order-tabs',
    summary: 'Save the order of the open tabs',
    needs: 'login',
    silent: true,
    input: z.object({ tabIds: TabIds }),
    output: z.object({}),
  }),
  listDeletedTabs: defineCall({
    path: '/editor/list-deleted-tabs',
    summary: 'List your deleted queries, last deleted first',
    needs: 'login',
    render: true,
    input: z.object({
      offset: z._default(z.int().check(z.gte(0)), 0),
      limit: z._default(z.int().check(z.gte(1), z.lte(LIMITS.pageSize)), 50),
    }),
    output: z.object({ list: z.array(DeletedTab), total: z.int() }),
  }),
  emptyBin: defineCall({
    path: '/editor/empty-bin',
    summary: 'Permanently delete some or all queries in the bin',
    needs: 'login',
    input: z.object({ tabIds: z.optional(z.array(z.uuid()).check(z.maxLength(LIMITS.binQueries))) }),
    output: z.object({ deleted: z.int() }),
  }),
  restoreTab: defineCall({
    path: '/editor/restore-tab',
    summary: 'Restore a tab from the bin, into its folder if that still exists',
    needs: 'login',
    input: TabId,
    output: EditorTab,
    fails: ['NotFound', 'LimitReached'],
  }),
  createTabFolder: defineCall({
    path: '/editor/create-tab-folder',
    summary: 'Create a folder, at the top level or in another folder',
    needs: 'login',
    input: z.object({ folderName: FolderName, parentId: z._default(Parent, '') }),
    output: z.object({ folderId: z.uuid() }),
    fails: ['NotFound', 'LimitReached'],
  }),
  deleteTabFolder: defineCall({
    path: '/editor/delete-tab-folder',
    summary: 'Delete a folder and its subfolders; their tabs move to the bin',
    needs: 'login',
    input: FolderId,
    output: z.object({ deleted: z.int() }),
    fails: ['NotFound'],
  }),
  updateTabFolder: defineCall({
    path: '/editor/update-tab-folder',
    summary: 'Rename a folder',
    needs: 'login',
    input: z.object({ folderId: z.uuid(), folderName: FolderName }),
    output: z.object({}),
    fails: ['NotFound'],
  }),
  changeTabFolder: defineCall({
    path: '/editor/change-tab-folder',
    summary: 'Move a tab to a folder, or to the top level',
    needs: 'login',
    input: z.object({ tabId: z.uuid(), folderId: Parent }),
    output: z.object({}),
    fails: ['NotFound'],
  }),
  changeTabFolderParent: defineCall({
    path: '/editor/change-tab-folder-parent',
    summary: 'Move a folder to another folder, or to the top level',
    needs: 'login',
    input: z.object({ folderId: z.uuid(), parentId: Parent }),
    output: z.object({}),
    fails: ['NotFound', 'Conflict', 'LimitReached'],
  }),
  tabDetail: defineCall({
    path: '/editor/tab-detail',
    summary: 'Get one tab with its text',
    needs: 'login',
    input: TabId,
    output: EditorTab,
    fails: ['NotFound'],
  }),
  /** The place the tab goes to on a new connection; empty: none. */
  updateTabDatabase: defineCall({
    path: '/editor/update-tab-database',
    summary: 'Save the catalog and the database of a tab',
    needs: 'login',
    silent: true,
    input: z.object({ tabId: z.uuid(), catalog: PlaceName, database: PlaceName }),
    output: z.object({}),
    fails: ['NotFound'],
  }),
  updateTabChart: defineCall({
    path: '/editor/update-tab-chart',
    summary: 'Save the chart and pivot settings of a tab',
    needs: 'login',
    silent: true,
    input: z.object({ tabId: z.uuid(), chart: ResultLook }),
    output: z.object({}),
    fails: ['NoPermission', 'NotFound', 'ReadOnly', 'QuotaExceeded'],
  }),
  updateTabParameters: defineCall({
    path: '/editor/update-tab-parameters',
    summary: 'Save the parameters of a tab with their values',
    needs: 'login',
    silent: true,
    input: z.object({ tabId: z.uuid(), parameters: Parameters }),
    output: z.object({}),
    fails: ['NoPermission', 'NotFound', 'ReadOnly', 'QuotaExceeded'],
  }),
  updateSql: defineCall({
    takesLarge: true,
    path: '/editor/update-sql',
    summary: 'Save the text of a tab',
    needs: 'login',
    silent: true,
    input: z.object({ tabId: z.uuid(), sql: Sql, revision: z.int() }),
    output: z.object({ revision: z.int() }),
    fails: ['NoPermission', 'NotFound', 'Conflict', 'ReadOnly', 'QuotaExceeded'],
  }),
  activeTab: defineCall({
    path: '/editor/active-tab',
    summary: 'Activate a tab, and open it if it was closed',
    needs: 'login',
    silent: true,
    input: TabId,
    output: z.object({}),
    fails: ['LimitReached', 'NotFound'],
  }),
  /** Ends one statement and keeps the connection. */
  kill: defineCall({
    path: '/editor/kill',
    summary: 'Stop a statement',
    needs: 'login',
    input: z.object({ requestId: z.string().check(z.maxLength(LIMITS.requestIdLength)) }),
    output: z.object({ stopped: z.boolean() }),
    fails: ['NotFound'],
  }),
}
