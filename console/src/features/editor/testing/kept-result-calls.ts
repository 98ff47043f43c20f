import type { Output } from '@boathouse/contract/call'
import type { HistoryEntry, PricedRun, query } from '@boathouse/contract/query'
import { refuse, type StubHandlers } from '../../../testing/stub-server.ts'

/** Of the run that all rows are kept of. */
export const FULL_ID = '55555555-5555-4555-8555-555555555555'

/** What the test's server keeps of every statement. */
export interface KeptState {
  /** The statement had more rows than are kept. */
  isCut: boolean
  /** Of the statement that is run again for all its rows. */
  fullRun: Pick<Output<typeof query.fullRunState>, 'state' | 'progress' | 'rows' | 'error'>
  /** A column of the rows' numbers. */
  rows: number
  cell: string
  /** Of the whole value, where that is more than an answer carries. */
  cellLength: number | null
  isExpired: boolean
  isShared: boolean
  refusesShare: boolean
  /** In dollars; null: it is not counted yet. */
  cost: string | null
  /** True by default. */
  costIsFinal?: boolean
  /** Of every text. */
  earlierRuns: PricedRun[]
}

const HISTORY_ENTRY: HistoryEntry = {
  queryId: '',
  requestId: '',
  user: 'anna',
  door: 'channel',
  clientIp: '',
  privateEndpoint: '',
  program: '',
  key: '',
  warehouse: 'default_warehouse',
  catalog: 'default_catalog',
  database: 'main',
  sql: 'select 1',
  sqlCut: false,
  values: null,
  shortenedFromBytes: null,
  kind: 'select',
  state: 'finished',
  effect: null,
  acceptedAt: '2026-01-01T00:00:00Z',
  startedAt: '2026-01-01T00:00:00Z',
  endedAt: '2026-01-01T00:00:01Z',
  durationMs: 1_000,
  rows: 1,
  bytes: 4_300,
  peakMemoryBytes: null,
  peakSpillBytes: null,
  compileMs: null,
  fetchMs: null,
  cost: null,
  engine: 'embedded',
  error: '',
  result: 'kept',
}

const FIELDS = [{ name: 'n', type: 'BIGINT', family: 'number' as const }]
const gone = () => refuse('ResultExpired', 'The rows of this query are no longer kept.')

/** Answers of everything that reads a kept result. */
export const keptResultCalls = (state: KeptState) =>
  ({
    'query.resultWindow': ({ offset, limit }) => {
      if (state.isExpired) return gone()
      const length = Math.max(0, Math.min(limit, state.rows - offset))
      return {
        fields: FIELDS,
        rows: Array.from({ length }, (_, at) => [String(offset + at)]),
        longCells: [],
        totalRows: state.rows,
        complete: !state.isCut,
        expiresAt: '2026-01-02T00:00:00Z',
      }
    },
    'query.runInFull': ({ requestId }) => ({ requestId }),
    'query.fullRunState': () => ({ queryId: FULL_ID, ...state.fullRun }),
    // Descending; a filter leaves the rows whose number holds what is written.
    'result.arrangedRows': ({ offset, limit, filters }) => {
      if (state.isExpired) return gone()
      const wanted = filters[0]?.written ?? ''
      const places = Array.from({ length: state.rows }, (_, at) => state.rows - 1 - at).filter((place) =>
        String(place).includes(wanted),
      )
      const some = places.slice(offset, offset + limit)
      return {
        fields: FIELDS,
        rows: some.map((place) => [String(place)]),
        longCells: [],
        places: some,
        shownRows: places.length,
        totalRows: state.rows,
        complete: true,
        expiresAt: '2026-01-02T00:00:00Z',
      }
    },
    // Of one column of numbers, each of them once.
    'result.columnStatistics': ({ filters }) => {
      if (state.isExpired) return gone()
      const wanted = filters[0]?.written.replace(/^= /, '') ?? ''
      const rows = filters.length === 0 ? state.rows : 1
      return {
        rows,
        nulls: 0,
        distinct: rows,
        min: wanted || '0',
        max: wanted || String(state.rows - 1),
        sum: '8878046',
        average: '2106.04',
        median: '2106.0',
        frequent: [{ value: wanted || '7', isCut: false, count: 1 }],
        bins: [
          { count: rows, from: wanted || '0', to: '99' },
          { count: 0, from: null, to: null },
        ],
        totalRows: state.rows,
        complete: !state.isCut,
      }
    },
    'result.facts': () => ({
      sql: 'select n from numbers',
      user: 'anna',
      catalog: 'default_catalog',
      database: 'main',
      endedAt: '2026-01-01T00:00:00Z',
      expiresAt: '2026-01-02T00:00:00Z',
      values: null,
      isOwn: true,
      isShared: state.isShared,
    }),
    'result.share': () => {
      if (state.refusesShare) return refuse('Conflict', 'This result cannot be shared.')
      state.isShared = true
      return { expiresAt: '2026-01-02T00:00:00Z' }
    },
    'result.unshare': () => {
      state.isShared = false
      return {}
    },
    'query.detail': ({ queryId }) => ({
      entry: {
        ...HISTORY_ENTRY,
        queryId,
        cost:
          state.cost === null
            ? null
            : { ccu: '0.0001', usd: state.cost, seconds: 0.4, isFinal: state.costIsFinal ?? true },
      },
      profile: null,
      advice: [],
      plan: null,
      errorOffset: null,
      kept: null,
      runs: [],
    }),
    'query.earlierRuns': () => ({ runs: state.earlierRuns }),
    'query.resultCell': () =>
      state.isExpired ? gone() : { text: state.cell, length: state.cellLength ?? state.cell.length },
    'query.exportResult': ({ format }) =>
      state.isExpired ? gone() : { url: '/download/code', fileName: `result.${format}`, sizeBytes: 1234 },
  }) satisfies StubHandlers
