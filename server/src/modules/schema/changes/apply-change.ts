import type { DatabasePlace } from '../../../engines/engine/names.ts'
import type { ObjectChange } from '../../../engines/engine/objects.ts'
import type { Actor, Caller } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import { timeOrderedId } from '../../../kernel/time-ordered-id.ts'
import type { NewAnnouncement } from '../../announcement/service.ts'
import { userAuthor } from '../../audit/author.ts'
import type { AuditEvent } from '../../audit/record.ts'
import type { ChangeNotes, NotedChange } from '../../query/running/change-notes.ts'
import { type ChangeRun, runAll } from './change-run.ts'
import type { Looking } from '../objects/looking.ts'

export interface ApplyParts {
  /** Grants follow what was created, dropped or renamed. */
  readonly objectsChanged: (actor: Actor, changes: readonly ObjectChange[]) => Promise<void>
  readonly announce: (announcement: NewAnnouncement) => Promise<void>
  readonly notes: Pick<ChangeNotes, 'begin' | 'taken' | 'notTaken' | 'leave'>
  readonly clock: Clock
  readonly log: Log
}

export type Who = Pick<Caller, 'clientIp'> & { readonly actor: Actor }

export const pathOf = ({ catalog, database }: DatabasePlace, name = ''): string =>
  [catalog, database, name].filter(Boolean).join('.')

export interface Change extends ChangeRun {
  readonly place: DatabasePlace
  readonly audit: Pick<AuditEvent, 'action' | 'object' | 'before' | 'after'>
  /** What grants follow when nobody could ask the engine what had changed: after the end of the server in the middle of it. */
  readonly follows?: readonly ObjectChange[]
  /** Which changes grants follow; missing: all. Those on what is recreated under its name stay. */
  readonly grantsFollow?: (change: ObjectChange) => boolean
}

/** Runs a change of a catalog, and has grants, audit log and open consoles follow it. */
export function createApplyChange({ objectsChanged, announce, notes, clock, log }: ApplyParts) {
  /** Of one that failed nothing was done; of one that was cut off only the engine knows. */
  async function made(
    noted: NotedChange,
    looking: Looking,
    change: Change,
  ): Promise<readonly ObjectChange[]> {
    await notes.begin(noted)
    try {
      return await runAll(looking, change, noted.id)
    } catch (error) {
      if (error instanceof AppError && error.code !== 'Interrupted') await notes.notTaken(noted)
      else notes.leave(noted)
      throw error
    }
  }

  return async function apply(who: Who, looking: Looking, change: Change): Promise<void> {
    const { actor } = who
    const { accountId } = actor
    const { audit, follows = [] } = change
    const told = { event: { by: userAuthor(who), ...audit }, follows }
    const noted: NotedChange = { id: timeOrderedId(), accountId, begunAt: clock.now(), told }
    const changed = (await made(noted, looking, change)).filter(change.grantsFollow ?? (() => true))
    // It is done: what cannot be written of it here does not make it undone.
    const note = (text: string) => (error: unknown) => log.error({ err: error, accountId }, text)
    if (changed.length > 0)
      await objectsChanged(actor, changed).catch(note('grants do not follow a change of a catalog'))
    await notes.taken(noted).catch(note('a change of a catalog is not in the audit log yet'))
    const { catalog, database } = change.place
    const type = 'GlobalEventTypeDatabaseChanged'
    await announce({ accountId, userId: null, type, data: { catalog, database } }).catch(
      note('a change of a catalog was not announced'),
    )
  }
}

export type ApplyChange = ReturnType<typeof createApplyChange>
