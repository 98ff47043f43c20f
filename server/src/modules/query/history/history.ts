import type {
  EarlierRun,
  HistoryEntry,
  Input,
  Output,
  PricedRun,
  ProfileNode,
  query,
  StatementDetail,
} from '@boathouse/contract'
import type { Kysely } from 'kysely'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Schema } from '../../../store/schema.ts'
import { errorIn, msOf } from './ended-row.ts'
import { readFilter } from './history-filter-store.ts'
import { createHistoryStore, type HistoryStore, type Place } from './history-store.ts'
import { findWarehouseId } from '../sessions/warehouse-name-store.ts'
import { adviceOn } from './plan-advice.ts'
import { presentEntry, pricedOf, type Share } from './present-entry.ts'
import { seenBy } from './seen-by.ts'

/** What can be the id of a statement or a request. */
const ID = /^[A-Za-z0-9_-]{8,64}$/

/** Of the same text, beside the one that is looked at. */
const MOST_RUNS = 20

const cursorOf = ({ at, id }: Place): string => `${at.getTime()}_${id}`
const placeOf = (row: { accepted_at: Date; query_id: string }): Place => ({
  at: row.accepted_at,
  id: row.query_id,
})

function readCursor(after: string): Place {
  const [, time = '', id = ''] = /^(\d{1,15})_([0-9a-f-]{36})$/.exec(after) ?? []
  if (!id) throw new AppError('BadInput', 'after: This is not the `next` of an earlier page.')
  return { at: new Date(Number(time)), id }
}

type DetailRow = NonNullable<Awaited<ReturnType<HistoryStore['detail']>>>
type RunRow = Awaited<ReturnType<HistoryStore['sameText']>>[number]

const presentRun = (row: RunRow): EarlierRun => ({
  queryId: row.query_id,
  user: row.user_name,
  state: row.state as HistoryEntry['state'],
  acceptedAt: row.accepted_at.toISOString(),
  endedAt: row.ended_at?.toISOString() ?? null,
  durationMs: msOf(row.took_us),
  rows: row.row_count,
})

/** Rows are for the user who ran it, whatever the roles of others. */
function keptOf(row: DetailRow, actor: Actor): StatementDetail['kept'] {
  if (row.user_id !== actor.userId || row.result_state !== 'kept' || !row.result_expires_at) return null
  const columns = Array.isArray(row.result_columns) ? row.result_columns.length : 0
  return {
    rows: row.result_rows ?? 0,
    columns,
    complete: row.result_complete ?? false,
    expiresAt: row.result_expires_at.toISOString(),
  }
}

const NO_SUCH = 'There is no such query, or you may not see it.'

function planOf(row: Pick<DetailRow, 'profile' | 'peak_spill_bytes'>) {
  const profile = row.profile as ProfileNode | null
  return { profile, advice: profile ? adviceOn(profile, row.peak_spill_bytes) : [] }
}

export interface HistoryParts {
  readonly db: Kysely<Schema>
  /** Resolves when no end that was sent by now is still on its way to the database. */
  readonly endsWritten: () => Promise<void>
  readonly costsOf: (
    statements: readonly ReturnType<typeof pricedOf>[],
  ) => Promise<ReadonlyMap<string, Share>>
}

/** Every statement from the moment it was accepted, newest first. */
export function createHistory({ db, endsWritten, costsOf }: HistoryParts) {
  const store = createHistoryStore(db)
  return {
    async list(
      actor: Actor,
      { limit, after, endedOnly, warehouse, text, ...filter }: Input<typeof query.history>,
    ): Promise<Output<typeof query.history>> {
      await endsWritten()
      const behind = after === undefined ? null : readCursor(after)
      const whose = seenBy(actor)
      const warehouseId =
        warehouse === undefined ? undefined : await findWarehouseId(db, actor.accountId, warehouse)
      if (warehouseId === null) return { entries: [], next: null, searchedTo: null }
      const queryIds = text === undefined || !ID.test(text) ? [] : await store.idsOf(whose, text)
      const searched = queryIds.length > 0 ? { queryIds } : { text }
      const read = readFilter(whose, { ...filter, ...searched, warehouseId })
      const page = { ...read, behind, limit: limit + 1, endedOnly }
      const found = await store.list(whose, page)
      const shown = found.slice(0, limit)
      const costs = await costsOf(shown.map(pricedOf))
      const entries = shown.map((row) => presentEntry(row, costs.get(row.query_id)))
      const last = shown.at(-1)
      if (found.length > limit && last) return { entries, next: cursorOf(placeOf(last)), searchedTo: null }
      const stopped = page.looked.length > 0 ? await store.lookedTo(whose, page) : undefined
      return {
        entries,
        next: stopped ? cursorOf(placeOf(stopped)) : null,
        searchedTo: stopped?.accepted_at.toISOString() ?? null,
      }
    },

    /** Of these statements those that somebody may see, by their ids. */
    async entriesOf(actor: Actor, statements: readonly Place[]): Promise<ReadonlyMap<string, HistoryEntry>> {
      if (statements.length === 0) return new Map()
      await endsWritten()
      const rows = await store.these(seenBy(actor), statements)
      const costs = await costsOf(rows.map(pricedOf))
      return new Map(rows.map((row) => [row.query_id, presentEntry(row, costs.get(row.query_id))]))
    },

    /** Of those that finished; what failed or was stopped says little of what a whole run costs. */
    async earlierRuns(actor: Actor, text: string): Promise<PricedRun[]> {
      await endsWritten()
      const runs = await store.sameText(seenBy(actor), text, { most: MOST_RUNS, finishedOnly: true })
      const costs = await costsOf(runs.map(pricedOf))
      return runs.flatMap(({ query_id, took_us, row_count }) => {
        if (took_us === null) return []
        const cost = costs.get(query_id)
        const usd = cost?.isFinal && cost.micros > 0 ? cost.usd : null
        return [{ queryId: query_id, seconds: took_us / 1_000_000, rows: row_count, usd }]
      })
    },

    async detail(actor: Actor, queryId: string): Promise<StatementDetail> {
      await endsWritten()
      const whose = seenBy(actor)
      const row = await store.detail(whose, queryId)
      if (!row) throw new AppError('NotFound', NO_SUCH)
      const costs = await costsOf([pricedOf(row)])
      const runs = await store.sameText(whose, row.sql, { most: MOST_RUNS, finishedOnly: false })
      return {
        entry: presentEntry({ ...row, sql_cut: false }, costs.get(queryId)),
        ...planOf(row),
        plan: row.plan,
        errorOffset: (row.state === 'failed' && errorIn(row)?.offset) || null,
        kept: keptOf(row, actor),
        runs: runs.map(presentRun),
      }
    },

    /** What the detail says of its plan, and nothing else. */
    async plan(actor: Actor, queryId: string): Promise<Output<typeof query.plan>> {
      await endsWritten()
      const row = await store.plan(seenBy(actor), queryId)
      if (!row) throw new AppError('NotFound', NO_SUCH)
      return planOf(row)
    },
  }
}

export type History = ReturnType<typeof createHistory>
