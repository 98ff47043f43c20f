import type { Transaction } from 'kysely'
import type { UseEngine } from '../../engines/engine.ts'
import type { Log } from '../../kernel/log.ts'
import type { Schema } from '../../store/schema.ts'
import { recordAudit } from '../audit/record.ts'
import type { ChangeNoteStore, NotedChange } from './change-note-store.ts'

export interface ChangeNoteParts {
  readonly store: ChangeNoteStore
  readonly transaction: <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>
  readonly useServiceEngine: UseEngine
  readonly log: Log
}

/** Of an engine that does not remember what it did. */
function asUnknown(noted: NotedChange): NotedChange {
  const { event } = noted.told
  const after = { ...event.after, effect: 'unknown' }
  return { ...noted, told: { ...noted.told, event: { ...event, after } } }
}

/**
 * A change is made in an engine and told in the audit log, which are two places. It is noted before it is made, and the
 * note goes with the entry that tells of it: whenever the server ends in between, the engine says what became of it.
 */
export function createChangeNotes({ store, transaction, useServiceEngine, log }: ChangeNoteParts) {
  /** Those that this server is still about. */
  const underway = new Set<string>()

  /** Told of when it was begun: nobody knows better how long it took. */
  async function tell({ id, accountId, begunAt, told }: NotedChange): Promise<void> {
    await transaction(async (trx) => {
      await store.remove(id, trx)
      await recordAudit(trx, { accountId, at: begunAt, ...told.event })
    })
  }

  async function settleAccount(
    accountId: string,
    onTaken: (noted: NotedChange) => Promise<void>,
  ): Promise<void> {
    const left = (await store.of(accountId)).filter(({ id }) => !underway.has(id))
    if (left.length === 0) return
    const ids = left.map(({ id }) => id)
    const taken = await useServiceEngine(accountId, async ({ effects }) =>
      effects ? effects.tookEffect(ids) : null,
    )
    for (const noted of left) {
      if (!taken) await tell(asUnknown(noted))
      else if (!taken.has(noted.id)) await store.remove(noted.id)
      else {
        await onTaken(noted)
        await tell(noted)
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

    /** What cannot be written now is written by a later look at what is left. */
    async taken(noted: NotedChange): Promise<void> {
      try {
        await tell(noted)
      } finally {
        underway.delete(noted.id)
      }
    },

    async notTaken({ id }: NotedChange): Promise<void> {
      try {
        await store.remove(id)
      } finally {
        underway.delete(id)
      }
    },

    /** Only the engine knows, as soon as it is back. */
    leave({ id }: NotedChange): void {
      underway.delete(id)
    },

    /** What was begun and not told of; an account whose engine cannot be asked now is asked again later. */
    async settle(onTaken: (noted: NotedChange) => Promise<void> = () => Promise.resolve()): Promise<void> {
      for (const accountId of await store.accounts())
        await settleAccount(accountId, onTaken).catch((error: unknown) =>
          log.warn({ err: error, accountId }, 'what became of changes of catalogs cannot be asked for yet'),
        )
    },
  }
}

export type ChangeNotes = ReturnType<typeof createChangeNotes>
