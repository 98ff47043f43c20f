import {
  type AccessObject,
  type Input,
  LIMITS,
  objectOf,
  type Output,
  type Privilege,
  type warehouse,
} from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Steps } from '../../store/steps.ts'
import type { Authority } from '../access/authority.ts'
import type { Finder } from './find.ts'
import type { Metering } from './metering.ts'
import { presentActivity } from './present.ts'
import type { WarehouseStore } from './store.ts'
import { usageOf } from './usage.ts'
import type { UsageStore } from './usage-store.ts'

interface RecordsOptions {
  readonly store: Pick<WarehouseStore, 'activity' | 'find'>
  readonly usage: UsageStore
  readonly authority: Pick<Authority, 'require'>
  readonly grantsOn: GrantsOn
  readonly finder: Pick<Finder, 'find' | 'findFor' | 'listBy'>
  readonly metering: Pick<Metering, 'count'>
  readonly clock: Clock
}

/** What was granted on an object itself, newest first. */
export type GrantsOn = (
  accountId: string,
  object: AccessObject,
  most: number,
) => Promise<
  readonly {
    readonly role: string | null
    readonly user: string | null
    readonly privileges: readonly Privilege[]
    readonly grantable: readonly Privilege[]
  }[]
>

/** What was written of a warehouse, for who may change it. */
export function createRecords(options: RecordsOptions) {
  const { store, usage, authority, grantsOn, finder, metering, clock } = options

  return {
    /** WH-23: to whom something was granted on it, for who may change it. */
    async grants(actor: Actor, warehouseId: string): Promise<Output<typeof warehouse.grants>> {
      await finder.findFor(actor, warehouseId, 'ALTER')
      const object = objectOf('warehouse', { name: warehouseId })
      const found = await grantsOn(actor.accountId, object, LIMITS.pageSize)
      return {
        grants: found.map(({ role, user, privileges, grantable }) => ({
          kind: role === null ? 'user' : 'role',
          name: role ?? user ?? '',
          privileges: [...privileges],
          grantable: [...grantable],
        })),
      }
    },

    async activity(
      actor: Actor,
      { warehouseId, cursor, limit }: Input<typeof warehouse.activity>,
    ): Promise<Output<typeof warehouse.activity>> {
      const gone = await store.find(actor.accountId, warehouseId)
      if (gone) await finder.findFor(actor, warehouseId, 'ALTER')
      else await authority.require(actor, { privilege: 'ALTER', object: objectOf('warehouse') })
      const rows = await store.activity(actor.accountId, warehouseId, { before: cursor, limit: limit + 1 })
      // One that was deleted still has its history; one that never was has none.
      if (rows.length === 0 && cursor === null) await finder.find(actor, warehouseId)
      const page = rows.slice(0, limit)
      return {
        activities: page.map(presentActivity),
        nextCursor: rows.length > limit ? (page.at(-1)?.activity_id ?? null) : null,
      }
    },

    async usage(actor: Actor, warehouseId: string): Promise<Output<typeof warehouse.usage>> {
      await finder.findFor(actor, warehouseId, 'ALTER')
      await metering.count()
      return usageOf(usage, { warehouseId, now: clock.now() })
    },

    /** Over time, of one or of all that this user may change. */
    async usageSeries(actor: Actor, steps: Steps, warehouseId: string | undefined) {
      const operated =
        warehouseId === undefined
          ? await finder.listBy(actor, 'mayOperate')
          : [await finder.findFor(actor, warehouseId, 'ALTER')]
      if (operated.length === 0) return []
      await metering.count()
      const names = new Map(operated.map((row) => [row.warehouse_id, row.name]))
      const rows = await usage.byStep(steps, [...names.keys()])
      return rows.map((row) => ({ ...row, name: names.get(row.warehouse_id) ?? '' }))
    },
  }
}
