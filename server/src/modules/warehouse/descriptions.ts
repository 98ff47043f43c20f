import {
  ACTIONS_OF_STATE,
  type Output,
  RECOMMENDED_SIZE,
  type SizeOffer,
  slotsOf,
  type warehouse,
  type WarehouseDetails,
  WarehouseSize,
} from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Compute } from './compute-port.ts'
import { engineOfNew, kindsFor, shownKind } from './engine-kinds.ts'
import { type Finder, named } from './find.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { WarehouseRights } from './may-use.ts'
import { presentWarehouse } from './present.ts'
import { ccuSeconds, costOf, type Edition, microUsdPerCcu } from './prices.ts'
import type { WarehouseRow, WarehouseStore } from './store.ts'

interface DescriptionsOptions {
  readonly store: Pick<WarehouseStore, 'account'>
  readonly compute: Pick<Compute, 'capacityOf' | 'cpuOf' | 'idleSince' | 'kinds' | 'load' | 'startOf'>
  readonly rights: Pick<WarehouseRights, 'mayUse'>
  readonly finder: Pick<Finder, 'find' | 'listBy'>
  readonly lifecycle: Pick<Lifecycle, 'scalingTo'>
  readonly clock: Clock
}

const HOUR_SECONDS = 3_600

const cpuIn = (use: ReturnType<Compute['cpuOf']>): WarehouseDetails['cpu'] =>
  use && { ...use, trend: [...use.trend] }

const startIn = (start: ReturnType<Compute['startOf']>): WarehouseDetails['starting'] =>
  start && { ...start, since: start.since.toISOString() }

/** What is shown of warehouses, with the price of what they have or could have. */
export function createDescriptions(options: DescriptionsOptions) {
  const { store, compute, rights, finder, lifecycle, clock } = options

  async function priceFor(actor: Actor): Promise<{ microUsd: number; edition: Edition; engines: string }> {
    const { edition, region, engines } = await store.account(actor.accountId)
    const question = { edition: edition as Edition, region, at: clock.now() }
    return { microUsd: microUsdPerCcu(question), edition: question.edition, engines }
  }

  const offerOf = (size: WarehouseSize, engine: string | null, microUsd: number): SizeOffer => ({
    size,
    pricePerHour: costOf([{ weighedSeconds: ccuSeconds(size, HOUR_SECONDS), microUsd }]),
    slots: slotsOf(size),
    ...compute.capacityOf(size, engine),
    isRecommended: size === RECOMMENDED_SIZE,
  })

  async function detailsOf(
    actor: Actor,
    row: WarehouseRow,
    { microUsd, edition }: { microUsd: number; edition: Edition },
  ) {
    const shown = presentWarehouse(row, compute.kinds)
    return {
      ...shown,
      isUsable: await rights.mayUse(actor, named(row)),
      type: edition === 'lake' ? 1 : 2,
      autoResume: row.auto_resume,
      offer: offerOf(shown.size, row.engine, microUsd),
      ...compute.load(row.warehouse_id),
      idleSince: compute.idleSince(row.warehouse_id)?.toISOString() ?? null,
      cpu: cpuIn(compute.cpuOf(row.warehouse_id)),
      scalingTo: lifecycle.scalingTo(row.warehouse_id),
      starting: startIn(compute.startOf(row.warehouse_id)),
      actions: [...ACTIONS_OF_STATE[shown.status]],
    } satisfies WarehouseDetails
  }

  return {
    async describe(actor: Actor, warehouseId: string): Promise<WarehouseDetails> {
      const row = await finder.find(actor, warehouseId)
      return detailsOf(actor, row, await priceFor(actor))
    },

    async describeAll(actor: Actor): Promise<WarehouseDetails[]> {
      const price = await priceFor(actor)
      return Promise.all((await finder.listBy(actor, 'maySee')).map((row) => detailsOf(actor, row, price)))
    },

    /** In the home engine where none is named. */
    async sizes(actor: Actor, engine: string | null): Promise<Output<typeof warehouse.sizes>> {
      const { kinds } = compute
      const { microUsd, engines } = await priceFor(actor)
      const chosen = kindsFor(kinds, engines)
      const asked = engineOfNew({ kinds, chosen }, engine)
      return {
        sizes: WarehouseSize.options.map((size) => offerOf(size, asked, microUsd)),
        engines: chosen.map(shownKind),
      }
    },
  }
}
