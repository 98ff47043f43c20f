import type { Input, schedule as calls } from '@boathouse/contract'
import type { Transaction } from 'kysely'
import type { Actor, Caller } from '../../kernel/actor.ts'
import type { Schema } from '../../store/schema.ts'
import { userAuthor } from '../audit/author.ts'
import { recordAudit } from '../audit/record.ts'
import type { ScheduleRow } from './store.ts'

export type From = Caller & { readonly actor: Actor }
export type Draft = Input<typeof calls.save>

interface Noted {
  readonly before: ScheduleRow | null
  readonly after: ScheduleRow | null
  readonly name: string
  readonly draft?: Draft
  readonly at: Date
}

/** Receivers have keys in their addresses, so that only the host is recorded. */
const auditedNotified = ({ users, url }: Draft) => ({
  users,
  webhook: url === '' ? 'none' : new URL(url).host,
})

const audited = ({ cron, time_zone, paused, condition }: ScheduleRow) => ({
  cron,
  timeZone: time_zone,
  paused,
  condition,
})

/** Who made, changed or deleted a schedule. */
export const noteSchedule = (
  trx: Transaction<Schema>,
  from: From,
  { before, after, name, draft, at }: Noted,
): Promise<void> =>
  recordAudit(trx, {
    accountId: from.actor.accountId,
    at,
    by: userAuthor(from),
    action: `schedule.${before === null ? 'create' : after === null ? 'delete' : 'update'}`,
    object: { type: 'schedule', id: (after ?? before)?.schedule_id ?? '', name },
    before: before && audited(before),
    after: after && { ...audited(after), ...(draft ? auditedNotified(draft) : {}) },
  })
