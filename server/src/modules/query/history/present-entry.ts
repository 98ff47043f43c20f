import type { HistoryEntry } from '@boathouse/contract'
import { errorIn, msOf } from './ended-row.ts'
import type { ListedRow } from './history-store.ts'

const MICROS_PER_SECOND = 1_000_000

/** What a statement took of the time of its warehouse. */
export interface Share {
  readonly ccu: string
  readonly usd: string
  readonly micros: number
}

export const presentEntry = (row: ListedRow, share?: Share): HistoryEntry => ({
  queryId: row.query_id,
  requestId: row.request_id,
  user: row.user_name,
  door: row.door,
  clientIp: row.client_ip ?? '',
  warehouse: row.warehouse ?? '',
  catalog: row.catalog ?? '',
  database: row.database_name ?? '',
  sql: row.sql,
  sqlCut: row.sql_cut,
  shortenedFromBytes: row.sql_hash ? row.sql_bytes : null,
  kind: row.kind,
  state: row.state as HistoryEntry['state'],
  effect: row.effect as HistoryEntry['effect'],
  acceptedAt: row.accepted_at.toISOString(),
  startedAt: row.started_at?.toISOString() ?? null,
  endedAt: row.ended_at?.toISOString() ?? null,
  rows: row.row_count,
  bytes: row.shown_bytes,
  peakMemoryBytes: row.peak_memory_bytes,
  peakSpillBytes: row.peak_spill_bytes,
  compileMs: msOf(row.compile_us),
  fetchMs: msOf(row.fetch_us),
  cost: share ? { ccu: share.ccu, usd: share.usd, seconds: share.micros / MICROS_PER_SECOND } : null,
  engine: row.engine ?? '',
  error: row.error || row.state === 'interrupted' ? (errorIn(row, row.sql_cut)?.message ?? '') : '',
  result: row.result_state as HistoryEntry['result'],
})
