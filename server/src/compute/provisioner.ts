import type { StartStep, WarehouseSize } from '@boathouse/contract'
import type { Engine } from '../engines/engine/engine.ts'
import type { EngineKind, EngineSize } from '../engines/engine/provider.ts'

/**
 * Gives accounts engines of one kind: starts them, says how large they become, and knows what is left of them. A process
 * of this machine (`local/`) needs folders and a user of the operating system; a remote cluster needs neither. What an
 * engine has in common whatever it runs on is in `account-engine.ts`: it is shared by warehouses, resized, watched,
 * stopped by its `close()`, and started again after it was lost.
 */
export interface EngineProvisioner extends EngineKind {
  /** Each warehouse has an engine of its own, instead of one for all of an account. */
  readonly isPerWarehouse?: true
  /** What warehouses of these sizes really get, all together. */
  capacityOf(sizes: readonly WarehouseSize[]): EngineSize
  /** A change of size may take this long; missing: as long as any engine. */
  readonly resizingMs?: number
  /** Of which its engines use the most; missing: as many as an engine has threads. */
  readonly processors?: number
  /** Starts the engine of an account, which has none. Rejects with an `EngineUnavailable` when it cannot start. */
  start(accountId: string, size: EngineSize, order: StartOrder): Promise<Engine>
  /** Ids of warehouses whose engines still run, because an earlier service ended without ending them. */
  left?(): Promise<readonly string[]>
  /** Ends that of a warehouse which should not run. */
  endLeft?(warehouseId: string): Promise<void>
  /** When the account's engine was last known to run; null when nothing says so. */
  lastAlive(accountId: string): Promise<Date | null>
  /** Bytes of the data that engines of this kind keep for an account and that it pays for. */
  storedBytes(accountId: string): Promise<number>
  /** Removes all that engines of this kind keep for an account, permanently. Its engine has ended. */
  remove(accountId: string): Promise<void>
  /** Ends what is held ready for the next start. */
  close(): Promise<void>
}

interface StartOrder {
  /** The only one that it is for; null: it is for all of the account. */
  readonly warehouseId: string | null
  /** Called while it starts, where that takes seconds. */
  readonly onStep?: (step: StartStep) => void
}
