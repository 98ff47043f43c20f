import type { HistoryEntry } from '@boathouse/contract'
import { valuesIn } from '../sessions/named-values.ts'
import { errorIn, msOf } from './ended-row.ts'
import type { ListedRow } from './history-store.ts'

const MICROS_PER_SECOND = 1_000_000

/** What a statement took of the time of its warehouse. */
export interface Share {
  readonly ccu: string
  readonly usd: string
  readonly micros: number
  readonly isFinal: boolean
}

/** One that never began, or that the service answered itself, has held no slot. */
const costsNothing = ({ state, started_at, engine }: ListedRow): boolean =>
  started_at === null || (state === 'finished' && !engine)

function costOf(row: ListedRow, share: Share | undefined): HistoryEntry['cost'] {
  if (!share || (share.micros === 0 && (share.isFinal || costsNothing(row)))) return null
  const { ccu, usd, micros, isFinal } = share
  return { ccu, usd, seconds: micros / MICROS_PER_SECOND, isFinal }
}

/** By which its cost is asked for. */
export const pricedOf = (row: Pick<ListedRow, 'query_id' | 'warehouse_id' | 'ended_at'>) => ({
  queryId: row.query_id,
  warehouseId: row.warehouse_id,
  endedAt: row.ended_at,
})

export const presentEntry = (row: ListedRow, share?: Share): HistoryEntry => ({
  queryId: row.query_id,
  requestId: row.request_id,
  user: row.user_name,
  door: row.door,
  clientIp: row.client_ip ?? '',
  privateEndpoint: row.private_endpoint ?? '',
  program: row.program ?? '',
  key: row.key_name ?? '',
  warehouse: row.warehouse ?? '',
  catalog: row.catalog ?? '',
  database: row.database_name ?? '',
  sql: row.sql,
  values: valuesIn(row),
  sqlCut: row.sql_cut,
  shortenedFromBytes: row.sql_hash ? row.sql_bytes : null,
  kind: row.kind,
  state: row.state as HistoryEntry['state'],
  effect: row.effect as HistoryEntry['effect'],
  acceptedAt: row.accepted_at.toISOString(),
  startedAt: row.started_at?.toISOString() ?? null,
  endedAt: row.ended_at?.toISOString() ?? null,
  durationMs: msOf(row.took_us),
  rows: row.row_count,
  bytes: row.shown_bytes,
  peakMemoryBytes: row.peak_memory_bytes,
  peakSpillBytes: row.peak_spill_bytes,
  compileMs: msOf(row.compile_us),
  fetchMs: msOf(row.fetch_us),
  cost: costOf(row, share),
  engine: row.engine ?? '',
  error: row.error || row.state === 'interrupted' ? (errorIn(row, row.sql_cut)?.message ?? '') : '',
  result: row.result_state as HistoryEntry['result'],
})
