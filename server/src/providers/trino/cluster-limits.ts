import { ClusterRefused } from './refused.ts'

const MIB = 1024 ** 2
/** Left to the service, its database and the operating system. */
const RESERVE_BYTES = 1024 * MIB
/** A coordinator plans and gathers; rows are with its workers. */
const COORDINATOR_BYTES = 1024 * MIB
/** What a process uses beside its heap: measured, 1.1 to 1.5 GB with a heap of 1 GB under load. */
const BESIDE_HEAP = 1.5

export interface ClusterLimits {
  readonly coordinatorHeapBytes: number
  readonly workerHeapBytes: number
  /** Of one cluster. */
  readonly mostWorkers: number
}

export interface LimitSettings {
  readonly heapBytes: number
  /** Undefined: what the machine has memory for. */
  readonly mostWorkers: number | undefined
}

/** Throws a `ClusterRefused` where not even one worker fits into the machine. */
export function clusterLimits(
  { heapBytes, mostWorkers }: LimitSettings,
  machineBytes: number,
): ClusterLimits {
  const coordinatorHeapBytes = Math.min(heapBytes, COORDINATOR_BYTES)
  const forWorkers = machineBytes - RESERVE_BYTES - coordinatorHeapBytes * BESIDE_HEAP
  const fitting = Math.floor(forWorkers / (heapBytes * BESIDE_HEAP))
  if (fitting < 1)
    throw new ClusterRefused(
      `BOATHOUSE_TRINO_HEAP_MB: a coordinator and a worker of ${Math.floor(heapBytes / MIB)} MB do not fit into this machine, which has ${Math.floor(machineBytes / MIB)} MB.`,
    )
  return {
    coordinatorHeapBytes,
    workerHeapBytes: heapBytes,
    mostWorkers: Math.min(mostWorkers ?? fitting, fitting),
  }
}
