import type { StartStep, WarehouseSize } from '@boathouse/contract'
import type { Engine } from '../../engines/engine/engine.ts'
import type { EngineKind } from '../../engines/engine/provider.ts'

/** What this module needs to make warehouses real. */
export interface Compute {
  /** How long statements that are stopped have to end. */
  readonly evictionMs: number
  /** The kinds of engines that a warehouse may have, the home engine first. */
  readonly kinds: readonly EngineKind[]
  /** In an engine of this kind; null: in the home engine. */
  capacityOf(
    size: WarehouseSize,
    kind: string | null,
  ): { readonly threads: number; readonly memoryBytes: number }
  start(pool: Pool): Promise<void>
  resize(id: string, change: { size: WarehouseSize; runId: string }): Promise<void>
  rename(id: string, name: string): void
  shutIfIdle(id: string, since: Date): boolean
  stop(id: string, reason: Error): Promise<void>
  /** Null when it does not run (any more): start it, then ask again. */
  admit(id: string, applicant: Applicant): Promise<Lease | null>
  running(): readonly Pool[]
  /** One that runs and lets people in. */
  find(accountId: string, id: string): Pool | undefined
  isRunning(id: string): boolean
  /** How busy the engine is that it shares; null while that is not known. */
  cpuOf(id: string): {
    readonly percent: number
    readonly hourPercent: number
    readonly trend: readonly (number | null)[]
  } | null
  load(id: string): { readonly running: number; readonly queued: number }
  /** Null while something runs or waits in it, and when it does not run. */
  idleSince(id: string): Date | null
  lastAlive(accountId: string, kind: string | null): Promise<Date | null>
  /** Ids of warehouses whose engines still run, because an earlier service ended without ending them. */
  left(): Promise<readonly string[]>
  /** Ends that of a warehouse which should not run. */
  endLeft(warehouseId: string): Promise<void>
  onLoss(listener: (loss: Loss) => void): void
  /** Whether its engine has not answered for so long that nobody can say how it is. */
  isSilent(id: string): boolean
  /** Called with the warehouses whose engine stopped answering, or answers again. */
  onSilence(listener: (pools: readonly Pool[]) => void): void
  /** How far a start has come that takes seconds; null while it does not start. */
  startOf(id: string): Starting | null
  /** Called whenever such a start has come a step further. */
  onStep(listener: (of: { readonly accountId: string; readonly warehouseId: string }) => void): void
}

interface Starting extends StartStep {
  readonly since: Date
  /** How long the last one of this engine took; null while none is known. */
  readonly lastTookMs: number | null
}

export interface Pool {
  readonly accountId: string
  readonly id: string
  readonly name: string
  readonly size: WarehouseSize
  /** The kind of engine that it runs in; null: the home engine. */
  readonly engine?: string | null
  readonly runId: string
}

interface Loss {
  readonly pools: readonly Pool[]
  readonly reason: string
  readonly at: Date
}

/** Someone who wants to run a statement. */
export interface Applicant {
  /** Called with the place in the queue, from 1 on: at once when there is one, and whenever it changes. */
  onQueued(place: number): void
  readonly signal: AbortSignal
}

/** The right to run one statement in a warehouse. Its holder must release it. */
export interface Lease {
  readonly engine: Engine
  /** Of its provider. */
  readonly engineId: string
  readonly warehouse: { readonly id: string; readonly name: string; readonly size: WarehouseSize }
  /** Aborted, with the AppError to answer as its reason, when the warehouse ends before the statement does. */
  readonly evicted: AbortSignal
  /** While its statement waits for its client, another one may run. Gives the way back. */
  lend(): () => void
  release(): void
}
