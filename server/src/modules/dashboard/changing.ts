import {
  type DashboardSettings,
  type dashboard as calls,
  type Input,
  type NewTile,
} from '@boathouse/contract'
import type { Transaction, Updateable } from 'kysely'
import { type Actor, refuseNarrowedKey } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Schema } from '../../store/schema.ts'
import { type From, noteDashboard } from './dashboard-audit.ts'
import { type MakingParts, noSuchDashboard } from './making.ts'
import { withTile } from './new-tile.ts'
import { nextRunOf } from './running.ts'
import type { DashboardRow, NamedDashboard } from './store.ts'
import type { DashboardRunStore } from './run-store.ts'
import { requireTile, runsTheSame } from './tile-text.ts'

export interface ChangingParts extends MakingParts {
  readonly runStore: Pick<DashboardRunStore, 'forgetTiles'>
  readonly warehouseNames: (accountId: string, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

type Change = Partial<DashboardRow>

/** As columns of the table have it. */
const written = ({ tiles, parameters, ...rest }: Change): Updateable<Schema['dashboards']> => ({
  ...rest,
  ...(tiles ? { tiles: jsonText(tiles), tile_count: tiles.length } : {}),
  ...(parameters ? { parameters: jsonText(parameters) } : {}),
})

/** Only its owner changes a dashboard: it may run as them. */
export function createDashboardChanges(parts: ChangingParts) {
  const { store, runStore, transaction, warehouseNames, clock } = parts

  async function requireWarehouses(accountId: string, tiles: readonly NewTile[]): Promise<void> {
    const ids = [...new Set(tiles.flatMap(({ warehouseId }) => warehouseId ?? []))]
    if (ids.length > 0 && (await warehouseNames(accountId, ids)).size < ids.length)
      throw new AppError('NotFound', 'There is no such warehouse in this account.')
  }

  async function rolesNamed(
    trx: Transaction<Schema>,
    accountId: string,
    names: readonly string[],
  ): Promise<string[]> {
    const found = await store.heldRoles(trx, accountId, names)
    const missing = names.find((name) => !found.some((role) => role.toLowerCase() === name.toLowerCase()))
    if (missing !== undefined)
      throw new AppError('NotFound', `There is no role ${missing} in this account. Check its name.`)
    return found
  }

  async function findOwn(actor: Actor, dashboardId: string): Promise<NamedDashboard> {
    refuseNarrowedKey(actor)
    const found = await store.find(actor, dashboardId)
    if (!found) throw noSuchDashboard()
    if (found.user_id !== actor.userId)
      throw new AppError('NoPermission', `Only ${found.owner}, who owns this dashboard, can change it.`)
    return found
  }

  async function change(
    from: From,
    dashboardId: string,
    changeOf: (before: DashboardRow, trx: Transaction<Schema>) => Change | Promise<Change>,
  ): Promise<NamedDashboard> {
    const { owner } = await findOwn(from.actor, dashboardId)
    return transaction(async (trx) => {
      const before = await store.lock(trx, dashboardId)
      if (!before) throw noSuchDashboard()
      const now = clock.now()
      const changed = { ...(await changeOf(before, trx)), updated_at: now }
      const after = { ...before, ...changed }
      await store.update(trx, dashboardId, written(changed))
      await noteDashboard(trx, from, { before, after, at: now })
      return { ...after, tile_count: after.tiles.length, owner }
    })
  }

  return {
    findOwn,

    async save(from: From, draft: Input<typeof calls.save>): Promise<NamedDashboard> {
      const { dashboardId, revision, name, tiles, parameters } = draft
      for (const tile of tiles) requireTile(tile)
      await requireWarehouses(from.actor.accountId, tiles)
      return change(from, dashboardId, async (before, trx) => {
        if (before.revision !== revision)
          throw new AppError(
            'Conflict',
            'This dashboard was changed elsewhere meanwhile. Reload it, then change it again.',
          )
        const other = before.tiles.filter((tile) => !tiles.some((one) => runsTheSame(one, tile)))
        await runStore.forgetTiles(
          trx,
          dashboardId,
          other.map(({ tileId }) => tileId),
        )
        return { name, tiles, parameters, revision: revision + 1 }
      })
    },

    async addTile(
      from: From,
      { dashboardId, tile, parameters }: Input<typeof calls.addTile>,
    ): Promise<NamedDashboard> {
      requireTile(tile)
      await requireWarehouses(from.actor.accountId, [tile])
      return change(from, dashboardId, (before) => ({
        ...withTile(before, tile, parameters),
        revision: before.revision + 1,
      }))
    },

    changeSettings(from: From, dashboardId: string, settings: DashboardSettings): Promise<NamedDashboard> {
      const { viewers, roles, runsAs, schedule } = settings
      if (schedule && runsAs !== 'owner')
        throw new AppError('BadInput', 'A dashboard is refreshed on a schedule only if it runs as its owner.')
      if (viewers === 'roles' && roles.length === 0)
        throw new AppError('BadInput', 'Choose at least one role that can see the dashboard.')
      return change(from, dashboardId, async ({ account_id }, trx) => ({
        viewers,
        roles: viewers === 'roles' ? await rolesNamed(trx, account_id, roles) : [],
        runs_as: runsAs,
        cron: schedule?.cron ?? null,
        time_zone: schedule?.timeZone ?? null,
        next_run_at: schedule && nextRunOf(schedule, clock.now()),
      }))
    },
  }
}
