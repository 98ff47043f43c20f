import type { PricedRun } from '@boathouse/contract/query'
import type { ObjectRef } from '@boathouse/contract/schema-objects'
import type { Found } from '@boathouse/contract/schema-search'
import type { Warehouse } from '@boathouse/contract/warehouse'
import type { KeptState } from './kept-result-calls.ts'

/** The tables and views of a database, by name. */
export interface Contents {
  tables: string[]
  views: string[]
}

/** What tests of the editor change about its server. */
export const editorState = () => ({
  warehouse: 'Running' as Warehouse['status'],
  refusesResume: false,
  assistant: null as { host: string; model: string } | null,
  refusesTabs: false,
  refusesComments: false,
  /** What a new query waits for. */
  untilCreated: Promise.resolve(),
  /** Of the kept result: a column of the rows' numbers. */
  rows: 1,
  cell: '',
  /** Of the whole value, where that is more than an answer carries. */
  cellLength: null as number | null,
  isExpired: false,
  isCut: false,
  fullRun: { state: 'finished', progress: null, rows: null, error: '' } as KeptState['fullRun'],
  isShared: false,
  refusesShare: false,
  /** Of every statement, in dollars; null: it is not counted yet. */
  cost: null as string | null,
  /** Of every text. */
  earlierRuns: [] as PricedRun[],
  /** In every database. */
  materialized: [] as string[],
  /** Of every table and view. */
  columns: ['id', 'name'],
  /** By a search in all catalogs. */
  found: [] as Found[],
  usedBy: [] as ObjectRef[],
  catalogs: new Map<string, Map<string, Contents>>([
    [
      'default_catalog',
      new Map<string, Contents>([
        ['main', { tables: [], views: [] }],
        ['sample', { tables: ['nation', 'region'], views: ['europe'] }],
      ]),
    ],
  ]),
})

export type EditorState = ReturnType<typeof editorState>
