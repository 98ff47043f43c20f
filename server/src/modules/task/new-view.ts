import type { RefreshChoice } from '@boathouse/sql'
import { timeOrderedId } from '../../kernel/time-ordered-id.ts'
import { timesOf } from './refresh-times.ts'
import type { Who } from './task-parts.ts'
import type { ViewPlace, ViewRow } from './view-store.ts'

export interface NewView {
  readonly place: ViewPlace
  readonly query: string
  readonly comment: string
  readonly refresh: RefreshChoice
  /** Without rows until it is refreshed. */
  readonly deferred: boolean
  /** Where names in the query are looked for. */
  readonly home: { readonly catalog: string; readonly database: string | null }
  readonly warehouseId: string | null
  readonly stop: AbortSignal
}

/** Seconds are enough for a schedule, and are written with it. */
const inSeconds = (at: Date): Date => new Date(Math.floor(at.getTime() / 1_000) * 1_000)

export function rowOf(who: Who, asked: NewView, now: Date): ViewRow {
  return {
    view_id: timeOrderedId(),
    account_id: who.actor.accountId,
    ...asked.place,
    state: 'making',
    renaming_to: null,
    owner_id: who.actor.userId,
    query: asked.query,
    home_catalog: asked.home.catalog,
    home_database: asked.home.database,
    comment: asked.comment,
    warehouse_id: asked.warehouseId,
    ...timesOf(asked.refresh, inSeconds(now)),
    paused: false,
    deferred: asked.deferred,
    sources: [],
    bound: null,
    refreshed_at: null,
    changed_at: null,
    being_written: false,
    next_refresh_at: null,
    failures: 0,
    created_at: now,
  }
}
