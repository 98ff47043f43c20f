import { expect, test } from 'vitest'
import { capacityOf, GIB, thisMachine } from './capacity.ts'

const large = { threads: 64, memoryBytes: 256 * GIB }

test.each([
  [['X-Small'], 1],
  [['Small'], 2],
  [['Medium'], 4],
  [['Large'], 8],
  [['X-Large'], 16],
  [['2X-Large'], 32],
  [['X-Small', 'Medium', 'Small'], 7],
  [[], 1],
] as const)('%j are %i threads and GiB [WH-20]', (sizes, units) => {
  expect(capacityOf(sizes, large)).toEqual({ threads: units, memoryBytes: units * GIB })
})

test('nobody is given more than the machine has, and a gibibyte is left to the rest', () => {
  expect(capacityOf(['2X-Large'], { threads: 4, memoryBytes: 16 * GIB })).toEqual({
    threads: 4,
    memoryBytes: 15 * GIB,
  })
  expect(capacityOf(['X-Small'], { threads: 1, memoryBytes: GIB })).toEqual({
    threads: 1,
    memoryBytes: GIB / 2,
  })
})

test('this machine has at least a thread and some memory', () => {
  expect(thisMachine().threads).toBeGreaterThan(0)
  expect(thisMachine().memoryBytes).toBeGreaterThan(GIB / 4)
  expect(Number.isSafeInteger(thisMachine().memoryBytes)).toBe(true)
})
