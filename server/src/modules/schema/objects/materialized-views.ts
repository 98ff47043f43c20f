import type { MaterializedViewDetail, TaskRun } from '@boathouse/contract'
import type { Actor } from '../../../kernel/actor.ts'
import type { Who } from '../changes/apply-change.ts'

export interface ViewPlace {
  readonly catalog: string
  readonly database: string
  readonly name: string
}

/**
 * Materialized views as catalogs need them. The module `task`, which keeps and refreshes them, builds on this one, so
 * that they are passed in where the server is built.
 */
export interface MaterializedViews {
  /** All of an account, by `viewKey`: engines take them for tables. */
  keysOf(accountId: string): Promise<ReadonlySet<string>>
  /** Throws NotFound for one that the actor may not see. */
  find(actor: Actor, place: ViewPlace): Promise<{ readonly comment: string | null }>
  detail(actor: Actor, place: ViewPlace): Promise<MaterializedViewDetail>
  createStatement(actor: Actor, place: ViewPlace): Promise<string>
  runsOf(
    actor: Actor,
    place: ViewPlace,
    page: { offset: number; limit: number },
  ): Promise<{ list: TaskRun[]; total: number }>
  /** Those that read an object, and what one of them reads, by the names of its last refresh. */
  readersOf(accountId: string, place: ViewPlace): Promise<ViewPlace[]>
  readBy(accountId: string, place: ViewPlace): Promise<ViewPlace[]>
  refresh(actor: Actor, place: ViewPlace): Promise<{ readonly runId: string }>
  pause(who: Who, place: ViewPlace, paused: boolean): Promise<void>
  comment(who: Who, place: ViewPlace, comment: string): Promise<void>
  rename(who: Who, place: ViewPlace, name: string): Promise<void>
  drop(who: Who, place: ViewPlace): Promise<void>
}
