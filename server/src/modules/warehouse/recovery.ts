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

/** States of a warehouse that takes statements, whatever else was under way. */
const SHOULD_RUN: ReadonlySet<string> = new Set(['Running', 'Scaling', 'Expanding', 'Updating', 'Unknown'])
const TAKEN_OVER = { action: 'Resume', actor: SERVICE, detail: 'Its engine was still running.' } as const

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
    /**
     * At start nothing runs but what outlives a server: what the last one left behind is put right before anyone can ask,
     * and what still runs and should is taken over.
     */
    async recover(): Promise<void> {
      const rows = await store.all()
      const left = new Set(await compute.left())
      const taken = rows.filter((row) => left.has(row.warehouse_id) && SHOULD_RUN.has(row.status))
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
      for (const row of taken) {
        left.delete(row.warehouse_id)
        // Not awaited: one that turns out to hang would hold up the start of the service.
        lifecycle.resume(row, TAKEN_OVER).catch((error: unknown) => {
          log.warn({ err: error, warehouse: row.name }, 'a warehouse that still ran was not taken over')
        })
      }
      for (const warehouseId of left) await compute.endLeft(warehouseId)
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
