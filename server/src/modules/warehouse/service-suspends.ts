import type { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Compute } from './compute-port.ts'
import type { Lifecycle } from './lifecycle.ts'
import { SERVICE } from './steps.ts'
import type { WarehouseRow, WarehouseStore } from './store.ts'

interface ServiceSuspendsOptions {
  readonly store: Pick<WarehouseStore, 'find' | 'suspendable'>
  readonly compute: Pick<Compute, 'running'>
  readonly lifecycle: Pick<Lifecycle, 'suspend' | 'suspendIfIdle'>
  readonly clock: Clock
}

const MINUTE_MS = 60_000

/** Warehouses that the service suspends automatically. */
export function createServiceSuspends({ store, compute, lifecycle, clock }: ServiceSuspendsOptions) {
  return {
    /** Idle means that nothing runs and nothing waits; the time starts again with each resume. */
    async suspendIdle(): Promise<void> {
      const now = clock.now().getTime()
      const rows = await store.suspendable(compute.running().map(({ id }) => id))
      const idleSince = (row: WarehouseRow) => new Date(now - (row.auto_suspend_minutes ?? 0) * MINUTE_MS)
      await Promise.all(rows.map((row) => lifecycle.suspendIfIdle(row, idleSince(row))))
    },

    /** ACCOUNT-86: nobody is charged a minimum for what they did not ask for. */
    async suspendFrozen(accountId: string): Promise<void> {
      const cause = { action: 'Suspend', actor: SERVICE, detail: 'The account was frozen.' } as const
      const running = compute.running().filter((pool) => pool.accountId === accountId)
      await Promise.all(
        running.map(async ({ id }) => {
          const row = await store.find(accountId, id)
          if (row) await lifecycle.suspend(row, cause, { reason: 'account frozen' })
        }),
      )
    },

    /** Null: every warehouse of the account. As nobody asked for it, no minimum is charged. */
    async suspendOverBudget(over: { accountId: string; warehouseId: string | null; refusal: AppError }) {
      const { accountId, warehouseId, refusal } = over
      const cause = { action: 'Suspend', actor: SERVICE, detail: 'A budget is used up.' } as const
      const running = compute
        .running()
        .filter((pool) => pool.accountId === accountId && (warehouseId === null || pool.id === warehouseId))
      for (const { id } of running) {
        const row = await store.find(accountId, id)
        if (row) await lifecycle.suspend(row, cause, { reason: 'over budget', refusal })
      }
    },
  }
}
