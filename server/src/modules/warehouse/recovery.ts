import { SERVICE as AUTHOR } from '../audit/author.ts'
import type { WarehouseState } from '@boathouse/contract'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Compute } from './compute-port.ts'
import type { Lifecycle } from './lifecycle.ts'
import { SERVICE } from './steps.ts'
import type { Metering } from './metering.ts'
import { nextState } from './states.ts'
import type { WarehouseStore } from './store.ts'

export interface RecoveryOptions {
  readonly store: WarehouseStore
  readonly compute: Compute
  readonly metering: Metering
  readonly lifecycle: Lifecycle
  readonly clock: Clock
  readonly log: Log
}

/** Leaving things in order, and finding them in disorder. */
export function createRecovery({ store, compute, metering, lifecycle, clock, log }: RecoveryOptions) {
  return {
    /** At start nothing runs: what the last server left behind is put right before anyone can ask. */
    async recover(): Promise<void> {
      const rows = await store.all()
      const engines = new Map(rows.map((row) => [row.warehouse_id, row.engine]))
      await metering.closeOpenRuns(({ account_id, warehouse_id }) =>
        compute.lastAlive(account_id, engines.get(warehouse_id) ?? null),
      )
      for (const row of rows) {
        const line = { actor: SERVICE, result: 'Success', at: clock.now() } as const
        const detail = 'The service ended without suspending it.'
        const status = nextState(row.status as WarehouseState, 'found stopped')
        if (row.status === 'Releasing')
          await store.delete(row, {
            ...line,
            action: 'Delete',
            detail: 'The deletion was completed.',
            audit: { by: AUTHOR, action: 'warehouse.drop', before: { name: row.name }, after: null },
          })
        else if (status) await store.conclude(row, { status }, { ...line, action: 'Suspend', detail })
      }
    },

    /** Suspends everything that runs; nobody is charged a minimum for it. */
    async close(): Promise<void> {
      const cause = { action: 'Suspend', actor: SERVICE, detail: 'The service was stopped.' } as const
      await Promise.all(
        compute.running().map(async ({ accountId, id }) => {
          try {
            const row = await store.find(accountId, id)
            if (row) await lifecycle.suspend(row, cause, { reason: 'service stopped' })
          } catch (error) {
            // The next start puts it right; what follows must end all the same.
            log.error(
              { err: error, accountId, warehouseId: id },
              'a warehouse was not suspended in good order',
            )
          }
        }),
      )
    },
  }
}
