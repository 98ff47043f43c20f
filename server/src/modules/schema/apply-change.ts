import type { Transaction } from 'kysely'
import type { DatabasePlace } from '../../engines/dialect.ts'
import type { ObjectChange } from '../../engines/objects.ts'
import type { Actor, Caller } from '../../kernel/actor.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Schema } from '../../store/schema.ts'
import type { NewAnnouncement } from '../announcement/service.ts'
import { userAuthor } from '../audit/author.ts'
import { type AuditEvent, recordAudit } from '../audit/record.ts'
import { type ChangeRun, runAll } from './change-run.ts'
import type { Looking } from './looking.ts'

export interface ApplyParts {
  /** Grants follow what was created, dropped or renamed. */
  readonly objectsChanged: (actor: Actor, changes: readonly ObjectChange[]) => Promise<void>
  readonly announce: (announcement: NewAnnouncement) => Promise<void>
  readonly transaction: <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>
  readonly clock: Clock
  readonly log: Log
}

export type Who = Pick<Caller, 'clientIp'> & { readonly actor: Actor }

export const pathOf = ({ catalog, database }: DatabasePlace, name = ''): string =>
  [catalog, database, name].filter(Boolean).join('.')

export interface Change extends ChangeRun {
  readonly place: DatabasePlace
  readonly audit: Pick<AuditEvent, 'action' | 'object' | 'before' | 'after'>
  /** Of what is made anew in its old place the grants stay; without this they follow everything. */
  readonly grantsFollow?: (change: ObjectChange) => boolean
}

/** Runs a change of a catalog, and has grants, audit log and open consoles follow it. */
export function createApplyChange({ objectsChanged, announce, transaction, clock, log }: ApplyParts) {
  return async function apply(who: Who, looking: Looking, change: Change): Promise<void> {
    const { actor } = who
    const { accountId } = actor
    const changed = (await runAll(looking, change)).filter(change.grantsFollow ?? (() => true))
    // It is done: what cannot be written of it here does not make it undone.
    const note = (text: string) => (error: unknown) => log.error({ err: error, accountId }, text)
    if (changed.length > 0)
      await objectsChanged(actor, changed).catch(note('grants do not follow a change of a catalog'))
    await transaction((trx) =>
      recordAudit(trx, { accountId, at: clock.now(), by: userAuthor(who), ...change.audit }),
    ).catch(note('a change of a catalog is not in the audit log'))
    const { catalog, database } = change.place
    const type = 'GlobalEventTypeDatabaseChanged'
    await announce({ accountId, userId: null, type, data: { catalog, database } }).catch(
      note('a change of a catalog was not announced'),
    )
  }
}

export type ApplyChange = ReturnType<typeof createApplyChange>
