import type { HistoryEntry, ProfileNode } from '@boathouse/contract'
import type { Kysely } from 'kysely'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Schema } from '../../../store/schema.ts'
import { errorIn } from './ended-row.ts'
import { createHistoryStore, type ListedRow, type Seen } from './history-store.ts'

const present = (row: ListedRow): HistoryEntry => ({
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
  kind: row.kind,
  state: row.state as HistoryEntry['state'],
  effect: row.effect as HistoryEntry['effect'],
  acceptedAt: row.accepted_at.toISOString(),
  startedAt: row.started_at?.toISOString() ?? null,
  endedAt: row.ended_at?.toISOString() ?? null,
  rows: row.row_count,
  bytes: row.shown_bytes,
  peakMemoryBytes: row.peak_memory_bytes,
  costCcu: row.cost_ccu,
  engine: row.engine ?? '',
  error: row.error || row.state === 'interrupted' ? (errorIn(row, row.sql_cut)?.message ?? '') : '',
  result: row.result_state as HistoryEntry['result'],
})

/** ACT-09: everyone sees their own statements, an account administrator those of all. */
const seesAll = (actor: Actor): boolean => actor.activeRoles.includes('account_admin')

const seenBy = (actor: Actor): Seen => ({
  accountId: actor.accountId,
  userId: seesAll(actor) ? null : actor.userId,
})

/** Where a page ends: time and id, because times repeat. */
const cursorOf = (row: ListedRow): string => `${row.accepted_at.getTime()}_${row.query_id}`

function readCursor(after: string): { at: Date; id: string } {
  const [, time = '', id = ''] = /^(\d{1,15})_([0-9a-f-]{36})$/.exec(after) ?? []
  if (!id) throw new AppError('BadInput', 'after: This is not the `next` of an earlier page.')
  return { at: new Date(Number(time)), id }
}

export interface HistoryParts {
  readonly db: Kysely<Schema>
  /** Done when no end that was told by now is still on its way to the database. */
  readonly endsWritten: () => Promise<void>
}

/** Every statement from the moment it was accepted, newest first. */
export function createHistory({ db, endsWritten }: HistoryParts) {
  const store = createHistoryStore(db)
  return {
    async list(actor: Actor, page: { limit: number; after?: string | undefined }) {
      await endsWritten()
      const behind = page.after === undefined ? null : readCursor(page.after)
      const found = await store.list(seenBy(actor), { behind, limit: page.limit + 1 })
      const entries = found.slice(0, page.limit)
      const last = entries.at(-1)
      return {
        entries: entries.map(present),
        next: found.length > page.limit && last ? cursorOf(last) : null,
      }
    },

    async detail(actor: Actor, queryId: string) {
      await endsWritten()
      const row = await store.detail(seenBy(actor), queryId)
      if (!row) throw new AppError('NotFound', 'There is no such query, or you may not see it.')
      return { entry: present({ ...row, sql_cut: false }), profile: row.profile as ProfileNode | null }
    },
  }
}

export type History = ReturnType<typeof createHistory>
