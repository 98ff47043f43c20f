import type { Kysely } from 'kysely'
import type { EngineKind } from '../../engines/engine/provider.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Clock } from '../../kernel/clock.ts'
import { historyBegins } from '../../kernel/history-time.ts'
import type { Log } from '../../kernel/log.ts'
import { inBatches } from '../../store/in-batches.ts'
import type { Schema } from '../../store/schema.ts'
import type { Authority } from '../access/authority.ts'
import type { GrantToCreator } from '../access/creator-grants.ts'
import { createAdmit } from './admit.ts'
import { createChanges } from './changes.ts'
import type { Compute } from './compute-port.ts'
import { createCreation } from './creation.ts'
import { createDescriptions } from './descriptions.ts'
import { engineIn } from './engine-kinds.ts'
import { createFinder } from './find.ts'
import { createLifecycle } from './lifecycle.ts'
import { createWarehouseRights } from './may-use.ts'
import { createMetering } from './metering.ts'
import { createRecords, type GrantsOn } from './records.ts'
import { createRecovery } from './recovery.ts'
import { createServiceSuspends } from './service-suspends.ts'
import { createSlotLedger } from './slot-ledger.ts'
import { costsOfStatements, type PricedStatement, type StatementCost } from './statement-costs.ts'
import { createWarehouseStore, type WarehouseRow } from './store.ts'
import { createUsageStore } from './usage-store.ts'

export interface WarehousesOptions {
  readonly db: Kysely<Schema>
  readonly compute: Compute
  readonly clock: Clock
  readonly log: Log
  readonly authority: Pick<Authority, 'may' | 'require'>
  /** The user who creates an object holds every privilege on it. */
  readonly grantToCreator: GrantToCreator
  readonly grantsOn: GrantsOn
  /** Throws when a budget of the warehouse is used up; asked before anything is spent. */
  readonly requireBudget: (accountId: string, warehouseId: string) => Promise<void>
  /** Called after every change that was written. */
  onChanged(warehouse: { accountId: string; warehouseId: string; name: string; status: string }): void
}

/** Warehouses for people: the same functions stand behind the calls and the statements. */
export function createWarehouses(options: WarehousesOptions) {
  const { db, compute, clock, log, authority, grantToCreator, grantsOn, requireBudget, onChanged } = options
  const rights = createWarehouseRights(authority)
  const store = createWarehouseStore(db)
  const usage = createUsageStore(db)
  const runIds = () => new Set(compute.running().map(({ runId }) => runId))
  const ledger = createSlotLedger(clock)
  const metering = createMetering({ db, clock, ledger, running: runIds })
  const lifecycle = createLifecycle({
    db,
    store,
    compute,
    metering,
    clock,
    log,
    requireBudget,
    onChanged: ({ account_id, warehouse_id, name, status }) =>
      onChanged({ accountId: account_id, warehouseId: warehouse_id, name, status }),
  })
  const recovery = createRecovery({ store, compute, metering, lifecycle, clock, log })
  const finder = createFinder({ store, rights })

  return {
    ...createDescriptions({ store, compute, rights, finder, lifecycle, clock }),
    ...createCreation({ store, compute, authority, grantToCreator, requireBudget, lifecycle, clock }),
    ...createChanges({ finder, lifecycle }),
    ...createRecords({ store, usage, authority, grantsOn, finder, metering, clock }),
    ...createServiceSuspends({ store, compute, lifecycle, clock }),

    /** Those that this user may run statements in. */
    list: async (actor: Actor) =>
      (await finder.listBy(actor, 'mayUse')).map((row) => {
        const { id: engine, catalog } = engineIn(compute.kinds, row)
        return { ...row, engine, ...(catalog !== undefined && { catalog }) }
      }),
    /** Those that this user may see. */
    listSeen: (actor: Actor): Promise<WarehouseRow[]> => finder.listBy(actor, 'maySee'),
    find: finder.find,
    findByName: finder.findByName,
    isOperated: finder.isOperated,
    /** The kind of engine that it runs in. */
    engineOf: (row: Pick<WarehouseRow, 'engine'>): EngineKind => engineIn(compute.kinds, row),
    admit: createAdmit({ store, compute, lifecycle, ledger, mayUse: rights.mayUse, requireBudget }),
    /** Statements in a warehouse at this moment. */
    load: (warehouseId: string) => compute.load(warehouseId),
    /** Otherwise statements for it wait until it is resumed. */
    isRunning: (warehouseId: string) => compute.isRunning(warehouseId),

    /** What statements cost. The caller checks who may see it. */
    costsOf: (statements: readonly PricedStatement[]): Promise<ReadonlyMap<string, StatementCost>> =>
      costsOfStatements(db, statements),

    /** As long as the history: what warehouses cost is kept for good, with how much of it was idle. */
    forgetOldShares: () => {
      const before = historyBegins(clock.now())
      return inBatches((most) => usage.forgetStatementUsage(before, most))
    },

    /** Accounts of which any warehouse runs. */
    runningAccounts: (): string[] => [...new Set(compute.running().map(({ accountId }) => accountId))],

    idOf: async (accountId: string, name: string): Promise<string | null> =>
      (await store.findByName(accountId, name))?.warehouse_id ?? null,
    namesOf: async (accountId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
      const rows = await store.list(accountId)
      return new Map(
        rows.filter((row) => ids.includes(row.warehouse_id)).map((row) => [row.warehouse_id, row.name]),
      )
    },

    meter: () => metering.count(),
    recover: recovery.recover,
    close: recovery.close,
  }
}

export type Warehouses = ReturnType<typeof createWarehouses>
