import { expect, test } from 'vitest'
import { clusterLimits } from './cluster-limits.ts'

const MIB = 1024 ** 2
const GIB = 1024 * MIB

test('a machine has as many workers as its memory allows, and never more', () => {
  expect(clusterLimits({ heapBytes: GIB, mostWorkers: undefined }, 16 * GIB)).toEqual({
    coordinatorHeapBytes: GIB,
    workerHeapBytes: GIB,
    mostWorkers: 9,
  })
  expect(clusterLimits({ heapBytes: 512 * MIB, mostWorkers: 2 }, 16 * GIB)).toMatchObject({
    coordinatorHeapBytes: 512 * MIB,
    mostWorkers: 2,
  })
  expect(clusterLimits({ heapBytes: GIB, mostWorkers: 100 }, 16 * GIB).mostWorkers).toBe(9)
})

test('a heap that is larger than the machine is refused with both figures', () => {
  expect(() => clusterLimits({ heapBytes: 64 * GIB, mostWorkers: undefined }, 16 * GIB)).toThrow(
    'a coordinator and a worker of 65536 MB do not fit into this machine, which has 16384 MB',
  )
})
