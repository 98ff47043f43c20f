import type { Transaction } from 'kysely'
import type { Actor, Caller } from '../../kernel/actor.ts'
import type { Schema } from '../../store/schema.ts'
import { userAuthor } from '../audit/author.ts'
import { recordAudit } from '../audit/record.ts'
import type { DashboardRow } from './store.ts'

export type From = Caller & { readonly actor: Actor }

interface Noted {
  readonly before: DashboardRow | null
  readonly after: DashboardRow | null
  readonly at: Date
}

const audited = (row: DashboardRow) => ({
  name: row.name,
  viewers: row.viewers,
  roles: row.roles,
  runsAs: row.runs_as,
  refresh: row.cron === null ? '' : `${row.cron} ${row.time_zone}`,
  tiles: row.tiles.map(({ title, kind }) => `${kind} ${title}`.trim()),
  revision: row.revision,
})

/** Who made, changed or deleted a dashboard. */
export function noteDashboard(
  trx: Transaction<Schema>,
  from: From,
  { before, after, at }: Noted,
): Promise<void> {
  const { dashboard_id: id = '', name = '' } = after ?? before ?? {}
  return recordAudit(trx, {
    accountId: from.actor.accountId,
    at,
    by: userAuthor(from),
    action: `dashboard.${before === null ? 'create' : after === null ? 'delete' : 'update'}`,
    object: { type: 'dashboard', id, name },
    before: before && audited(before),
    after: after && audited(after),
  })
}
