import { randomUUID } from 'node:crypto'
import { LIMITS } from '@boathouse/contract'
import type { Transaction } from 'kysely'
import { refuseNarrowedKey } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { requireShare } from '../../kernel/share.ts'
import type { Schema } from '../../store/schema.ts'
import { type From, noteDashboard } from './dashboard-audit.ts'
import type { DashboardRow, DashboardStore, NamedDashboard } from './store.ts'

export interface MakingParts {
  readonly store: DashboardStore
  readonly transaction: <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>
  readonly clock: Clock
}

const SHARE = {
  mostOfAccount: LIMITS.dashboardsPerAccount,
  mostOfUser: LIMITS.dashboardsPerUser,
  what: 'dashboards',
  how: 'Delete one that is no longer needed.',
}

export const noSuchDashboard = () =>
  new AppError('NotFound', 'There is no such dashboard that you may see. It may have been deleted.')

/** Creates dashboards within the limits, and deletes them. */
export function createDashboardMaking({ store, transaction, clock }: MakingParts) {
  return {
    async create(from: From, name: string): Promise<NamedDashboard> {
      const { accountId, userId, user } = from.actor
      refuseNarrowedKey(from.actor)
      const now = clock.now()
      const row: DashboardRow = {
        dashboard_id: randomUUID(),
        account_id: accountId,
        user_id: userId,
        name,
        viewers: 'private',
        roles: [],
        runs_as: 'viewer',
        cron: null,
        time_zone: null,
        next_run_at: null,
        revision: 1,
        tiles: [],
        tile_count: 0,
        parameters: [],
        created_at: now,
        updated_at: now,
      }
      await transaction(async (trx) => {
        requireShare(await store.countAlone(trx, accountId, userId), SHARE)
        await store.insert(trx, { ...row, tiles: '[]', parameters: '[]' })
        await noteDashboard(trx, from, { before: null, after: row, at: now })
      })
      return { ...row, owner: user }
    },

    async delete(from: From, dashboardId: string): Promise<void> {
      const { actor } = from
      const found = await store.find(actor, dashboardId)
      if (!found) throw noSuchDashboard()
      const isAdmin = actor.activeRoles.includes('account_admin')
      if (found.user_id !== actor.userId && !isAdmin)
        throw new AppError(
          'NoPermission',
          `Only ${found.owner} or an account administrator can delete this dashboard.`,
        )
      if (!isAdmin) refuseNarrowedKey(actor)
      await transaction(async (trx) => {
        await store.delete(trx, dashboardId)
        await noteDashboard(trx, from, { before: found, after: null, at: clock.now() })
      })
    },
  }
}
