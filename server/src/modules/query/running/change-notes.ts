import type { Transaction } from 'kysely'
import type { EngineOf, UseEngineOf } from '../../../engines/engine/engine.ts'
import type { Log } from '../../../kernel/log.ts'
import type { Schema } from '../../../store/schema.ts'
import { type AuditEvent, recordAudits } from '../../audit/record.ts'
import type { ChangeNoteStore, NotedChange } from './change-note-store.ts'

export type { NotedChange } from './change-note-store.ts'

/** What is recorded of changes that took effect together, where more is known than was noted before. */
export type ToldEvents = readonly Omit<AuditEvent, 'accountId'>[]

export interface ChangeNoteParts {
  readonly store: ChangeNoteStore
  readonly transaction: <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>
  readonly useEngine: UseEngineOf
  readonly log: Log
}

/** With the time of its start: that of its end may be unknown. */
const asNoted = ({ begunAt, told }: NotedChange) => ({ at: begunAt, ...told.event })

/** Of an engine that does not remember what it did. */
function asUnknown(noted: NotedChange): NotedChange {
  const { event } = noted.told
  const after = { ...event.after, effect: 'unknown' }
  return { ...noted, told: { ...noted.told, event: { ...event, after } } }
}

/**
 * A change is made in an engine and recorded in the audit log, without a transaction over both. It is noted before it
 * is made, and the note is removed with the entry that records it: if the server ends in between, the engine knows
 * whether the change took effect.
 */
export function createChangeNotes({ store, transaction, useEngine, log }: ChangeNoteParts) {
  /** Those that this server is still about. */
  const underway = new Set<string>()

  /** Once: only the transaction that removes the notes records the events. */
  async function tell(noted: readonly NotedChange[], events: ToldEvents = noted.map(asNoted)): Promise<void> {
    const [first] = noted
    if (!first) return
    await transaction(async (trx) => {
      const removed = await store.remove(
        noted.map(({ id }) => id),
        trx,
      )
      if (removed > 0) await recordAudits(trx, first.accountId, events)
    })
  }

  async function settleEngine(of: EngineOf, onTaken: (noted: NotedChange) => Promise<void>): Promise<void> {
    const left = (await store.of(of)).filter(({ id }) => !underway.has(id))
    if (left.length === 0) return
    const ids = left.map(({ id }) => id)
    const taken = await useEngine(of, async ({ effects }) => (effects ? effects.tookEffect(ids) : null))
    for (const noted of left) {
      const effect = taken ? taken.get(noted.id) : 'untold'
      if (effect === 'untold') await tell([asUnknown(noted)])
      else if (!effect) await store.remove([noted.id])
      else {
        await onTaken(noted)
        await tell([noted])
      }
    }
  }

  return {
    async begin(noted: NotedChange): Promise<void> {
      underway.add(noted.id)
      try {
        await store.insert(noted)
      } catch (error) {
        underway.delete(noted.id)
        throw error
      }
    },

    /** What cannot be written now is written by a later `settle`. */
    async taken(noted: NotedChange | readonly NotedChange[], events?: ToldEvents): Promise<void> {
      const all = [noted].flat()
      try {
        await tell(all, events)
      } finally {
        for (const { id } of all) underway.delete(id)
      }
    },

    async notTaken(...noted: readonly NotedChange[]): Promise<void> {
      try {
        await store.remove(noted.map(({ id }) => id))
      } finally {
        for (const { id } of noted) underway.delete(id)
      }
    },

    /** Only the engine knows, as soon as it is back. */
    leave({ id }: NotedChange): void {
      underway.delete(id)
    },

    /** Records started changes that have no entry yet; an engine that cannot be asked now is asked again later. */
    async settle(onTaken: (noted: NotedChange) => Promise<void> = () => Promise.resolve()): Promise<void> {
      for (const of of await store.engines())
        await settleEngine(of, onTaken).catch((error: unknown) =>
          log.warn({ err: error, ...of }, 'the outcome of catalog changes is not known yet'),
        )
    },
  }
}

export type ChangeNotes = ReturnType<typeof createChangeNotes>
