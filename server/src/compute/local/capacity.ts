import { availableParallelism, totalmem } from 'node:os'
import { WAREHOUSE_SIZES, type WarehouseSize } from '@boathouse/contract'
import type { EngineSize } from '../../engines/engine/provider.ts'

export const GIB = 1024 ** 3
/** Left to the metadata store, this service and the operating system. */
const RESERVE_BYTES = GIB

/** What this process may use: in a container that is less than the machine has. */
export function thisMachine(): EngineSize {
  const limit = process.constrainedMemory()
  const total = totalmem()
  return { threads: availableParallelism(), memoryBytes: limit > 0 ? Math.min(limit, total) : total }
}

/** Each unit of size is a thread and a GiB, as far as the machine has them. */
export function capacityOf(sizes: readonly WarehouseSize[], machine: EngineSize): EngineSize {
  const units = Math.max(
    1,
    sizes.reduce((sum, size) => sum + WAREHOUSE_SIZES[size], 0),
  )
  const spareBytes = Math.max(machine.memoryBytes - RESERVE_BYTES, machine.memoryBytes / 2)
  return {
    threads: Math.max(1, Math.min(units, machine.threads)),
    memoryBytes: Math.floor(Math.min(units * GIB, spareBytes)),
  }
}
