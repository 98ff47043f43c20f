import type { WarehouseState } from '@boathouse/contract'
import type { KeyedMutex } from '../../kernel/keyed-mutex.ts'
import type { Log } from '../../kernel/log.ts'
import type { Pool } from './compute-port.ts'
import { nextState } from './states.ts'
import { type createSteps, SERVICE, type StepOptions } from './steps.ts'

interface Watching extends Pick<StepOptions, 'store' | 'compute' | 'metering'> {
  readonly log: Log
  readonly steps: ReturnType<typeof createSteps>
  readonly mutex: KeyedMutex
}

/**
 * Records loss and silence of engines, which come without a request, in the states of their warehouses. Announces the
 * steps of their starts.
 */
export function watchEngines({ store, compute, metering, log, steps, mutex }: Watching): void {
  async function recordLoss(pool: Pool, reason: string): Promise<void> {
    await metering.count()
    const row = await store.find(pool.accountId, pool.id)
    const status = row && nextState(row.status as WarehouseState, 'engine lost')
    if (row && status)
      await steps.conclude(row, { status }, steps.line({ action: 'Crash', actor: SERVICE }, reason))
  }

  compute.onLoss(({ pools, reason, at }) => {
    for (const pool of pools) {
      metering.ended(pool.runId, { at, reason: 'crashed' })
      mutex
        .run(pool.id, () => recordLoss(pool, reason))
        .catch((error: unknown) =>
          log.error({ err: error, warehouse: pool.name }, 'the loss of an engine was not recorded'),
        )
    }
  })

  /** The state follows what is known of the engine when the lock of the warehouse is free. */
  compute.onSilence((pools) => {
    for (const { accountId, id, name } of pools)
      mutex
        .run(id, async () => {
          const row = await store.find(accountId, id)
          if (row && compute.isRunning(id)) await steps.current(row)
        })
        .catch((error: unknown) =>
          log.error({ err: error, warehouse: name }, 'the silence of an engine was not recorded'),
        )
  })

  // Without the lock, which the start holds.
  compute.onStep(({ accountId, warehouseId }) => {
    store
      .find(accountId, warehouseId)
      .then((row) => row && steps.announced(row))
      .catch((error: unknown) => log.error({ err: error }, 'a step of a start was not announced'))
  })
}
