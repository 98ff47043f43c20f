import { MESSAGES } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Applicant, Compute, Lease } from './compute-port.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { WarehouseRights } from './may-use.ts'
import type { SlotLedger } from './slot-ledger.ts'
import { missing } from './steps.ts'
import type { WarehouseStore } from './store.ts'

/** How often a statement that waits queues again after the warehouse ended under it. */
const ATTEMPTS = 5

export interface AdmitOptions {
  readonly store: Pick<WarehouseStore, 'find'>
  readonly compute: Pick<Compute, 'find' | 'admit'>
  readonly lifecycle: Pick<Lifecycle, 'resume'>
  readonly mayUse: WarehouseRights['mayUse']
  readonly ledger: Pick<SlotLedger, 'begin'>
  /** Throws when nothing may be spent any more. */
  readonly requireBudget: (accountId: string, warehouseId: string) => Promise<void>
}

/** The warehouse of a session: none when nobody has chosen one and the account has none for that case. */
export interface ChosenWarehouse {
  readonly id: string | null
  /** As it was called when it was chosen, for what is said about it. */
  readonly name: string
}

const stopped = () => new AppError('Cancelled', 'Stopped at your request while its warehouse was resuming.')

export interface StatementApplicant extends Applicant {
  /** Whose share of the warehouse's time it is from when it has its slot until it gives it back. */
  readonly queryId: string
}

const counted = (lease: Lease, onReleased: () => void): Lease => ({
  ...lease,
  release() {
    onReleased()
    lease.release()
  },
})

/** Stops waiting when the signal is aborted; the work continues, because others may wait for it. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(stopped())
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
  })
}

export function createAdmit({ store, compute, lifecycle, mayUse, ledger, requireBudget }: AdmitOptions) {
  async function resume(actor: Actor, id: string, name: string): Promise<void> {
    const row = await store.find(actor.accountId, id)
    if (!row || !(await mayUse(actor, { id: row.warehouse_id, name: row.name }))) throw missing(name)
    await lifecycle.resume(row, { action: 'Auto-resume', actor: actor.user })
  }

  /**
   * A slot in a warehouse, which is resumed first when it is suspended and has auto-resume. Throws an AppError:
   * NoRunningWarehouse, QuotaExceeded, WarehouseFull, NotFound, Cancelled (the signal) or Unavailable (it does not start).
   */
  return async function admit(
    actor: Actor,
    { id, name }: ChosenWarehouse,
    applicant: StatementApplicant,
  ): Promise<Lease> {
    // Later accounts have no default warehouse: their users must choose one.
    if (id === null) throw new AppError('NoRunningWarehouse', MESSAGES.noRunningWarehouse)
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const running = compute.find(actor.accountId, id)
      if (!running || !(await mayUse(actor, running)))
        await unlessAborted(applicant.signal, resume(actor, id, name))
      // After the check of privileges: only users of the warehouse may learn about its budget.
      await requireBudget(actor.accountId, id)
      const lease = await compute.admit(id, applicant)
      if (lease) return counted(lease, ledger.begin(id, applicant.queryId))
    }
    throw new AppError(
      'Unavailable',
      `The warehouse ${name} ended repeatedly before this statement could run. Its activity list shows why.`,
    )
  }
}
