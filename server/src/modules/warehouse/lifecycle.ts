import { MESSAGES, WAREHOUSE_SIZES, type WarehouseSize, type WarehouseState } from '@boathouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import { createKeyedMutex } from '../../kernel/keyed-mutex.ts'
import type { Log } from '../../kernel/log.ts'
import type { EndReason } from './metering.ts'
import { nextState } from './states.ts'
import { type Cause, createSteps, SERVICE, stateAfter, type StepOptions } from './steps.ts'
import type { WarehouseChange, WarehouseRow } from './store.ts'
import { watchEngines } from './watch-engines.ts'

/**
 * Changes of warehouses, one at a time for each. The status is written before and after each change, so that users see
 * the change while it happens.
 */
export function createLifecycle(options: StepOptions & { readonly log: Log }) {
  const { store, compute } = options
  const steps = createSteps(options)
  const mutex = createKeyedMutex()
  const resuming = new Map<string, Promise<WarehouseRow>>()
  const scaling = new Map<string, WarehouseSize>()

  watchEngines({ ...options, steps, mutex })

  async function resumeNow(row: WarehouseRow, cause: Cause): Promise<WarehouseRow> {
    const found = await steps.current(row)
    if (found.status === 'Running') return found
    // One that failed was not suspended by anyone: the next who needs it starts it again.
    if (cause.action === 'Auto-resume' && !found.auto_resume && found.status === 'Suspended')
      throw new AppError('NoRunningWarehouse', MESSAGES.noRunningWarehouse)
    return steps.bringUp(await steps.write(found, { status: stateAfter(found, 'resume') }), cause)
  }

  return {
    /** The first start of a warehouse that was just made. */
    deploy: (row: WarehouseRow, cause: Cause): Promise<WarehouseRow> =>
      mutex.run(row.warehouse_id, () => steps.bringUp(row, cause)),

    /** Resumes asked for while one is under way are that one. */
    resume(row: WarehouseRow, cause: Cause): Promise<WarehouseRow> {
      const known = resuming.get(row.warehouse_id)
      if (known) return known
      const resumed = mutex
        .run(row.warehouse_id, () => resumeNow(row, cause))
        .finally(() => resuming.delete(row.warehouse_id))
      resuming.set(row.warehouse_id, resumed)
      return resumed
    },

    suspend: (
      row: WarehouseRow,
      cause: Cause,
      { reason = 'suspended', refusal }: { reason?: EndReason; refusal?: AppError } = {},
    ): Promise<WarehouseRow> =>
      mutex.run(row.warehouse_id, async () => {
        const found = await steps.current(row)
        if (found.status === 'Suspended') return found
        const suspending = await steps.write(found, { status: stateAfter(found, 'suspend') })
        await steps.bringDown(suspending, reason, refusal)
        return steps.conclude(suspending, { status: 'Suspended' }, steps.line(cause))
      }),

    /** Nothing happens when it has been needed since. */
    suspendIfIdle: (row: WarehouseRow, since: Date): Promise<void> =>
      mutex.run(row.warehouse_id, async () => {
        // Shut it first: a statement that arrives now waits for the lock, then resumes the warehouse.
        if (!compute.shutIfIdle(row.warehouse_id, since)) return
        const detail = `Nothing ran for ${row.auto_suspend_minutes} min.`
        const suspending = await steps.write(row, { status: 'Suspending' })
        await steps.bringDown(suspending, 'idle')
        const line = steps.line({ action: 'Auto-suspend', actor: SERVICE, detail })
        await steps.conclude(suspending, { status: 'Suspended' }, line)
      }),

    edit: (row: WarehouseRow, change: WarehouseChange, cause: Cause): Promise<WarehouseRow> =>
      mutex.run(row.warehouse_id, async () => {
        const found = await steps.current(row)
        const before = found.status as WarehouseState
        const updating = await steps.write(found, { status: stateAfter(found, 'edit') })
        try {
          const edited = await store.edit(updating, { ...change, status: before }, steps.line(cause))
          compute.rename(row.warehouse_id, edited?.name ?? row.name)
          return steps.announced(edited)
        } catch (error) {
          await steps.write(updating, { status: before })
          throw error
        }
      }),

    resize: (row: WarehouseRow, size: WarehouseSize, cause: Cause): Promise<WarehouseRow> =>
      mutex.run(row.warehouse_id, async () => {
        const found = await steps.current(row)
        if (found.size === size) return found
        const resized = stateAfter(found, 'resize')
        const run = compute.running().find(({ id }) => id === row.warehouse_id)
        if (!run) return steps.conclude(found, { status: resized, size }, steps.line(cause))
        const isMore = WAREHOUSE_SIZES[size] > WAREHOUSE_SIZES[run.size]
        const status = isMore ? (nextState(found.status as WarehouseState, 'expand') ?? resized) : resized
        scaling.set(row.warehouse_id, size)
        try {
          return await steps.scale(await steps.write(found, { status }), { run, size, cause })
        } finally {
          scaling.delete(row.warehouse_id)
        }
      }),

    /** The size that it is being given at this moment. */
    scalingTo: (warehouseId: string): WarehouseSize | null => scaling.get(warehouseId) ?? null,

    delete: (row: WarehouseRow, cause: Cause): Promise<void> =>
      mutex.run(row.warehouse_id, async () => {
        const found = await steps.current(row)
        const releasing = await steps.write(found, { status: stateAfter(found, 'delete') })
        await steps.bringDown(releasing, 'deleted')
        await store.delete(releasing, steps.line(cause))
      }),
  }
}

export type Lifecycle = ReturnType<typeof createLifecycle>
