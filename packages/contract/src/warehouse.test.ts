import { expect, test } from 'vitest'
import {
  ACTIONS_OF_STATE,
  slotsOf,
  warehouse,
  WAREHOUSE_SIZES,
  WAREHOUSE_STATES,
  WarehouseSize,
} from './warehouse.ts'

test('sizes double from 1 to 32 CCU an hour, with two slots for each [WH-20]', () => {
  expect(Object.values(WAREHOUSE_SIZES)).toEqual([1, 2, 4, 8, 16, 32])
  expect(WarehouseSize.options).toEqual(Object.keys(WAREHOUSE_SIZES))
  expect(WarehouseSize.options.map(slotsOf)).toEqual([2, 4, 8, 16, 32, 64])
})

test('the states are those of the specification without Success, and Suspended [WH-44]', () => {
  expect(new Set(WAREHOUSE_STATES)).toEqual(
    new Set([
      'Running',
      'Failed',
      'Deploying',
      'Updating',
      'Suspending',
      'Releasing',
      'Scaling',
      'Expanding',
      'Resuming',
      'Unknown',
      'Suspended',
    ]),
  )
})

test('Suspend is offered only while it runs, Resume only while it does not [WH-45]', () => {
  const offering = (action: 'suspend' | 'resume') =>
    WAREHOUSE_STATES.filter((state) => ACTIONS_OF_STATE[state].includes(action))
  expect(offering('suspend')).toEqual(['Running', 'Unknown'])
  expect(offering('resume')).toEqual(['Suspended', 'Failed'])
})

test('auto-suspend is on after five minutes unless set otherwise; null switches it off [WH-19]', () => {
  const idleMinutes = (input: object) => warehouse.create.input.parse({ name: 'w', ...input }).idleMinutes
  expect([
    idleMinutes({}),
    idleMinutes({ idleMinutes: null }),
    idleMinutes({ idleMinutes: 999_999 }),
  ]).toEqual([5, null, 999_999])
  expect(warehouse.update.input.parse({ warehouseId: crypto.randomUUID() })).not.toHaveProperty('idleMinutes')
})

test.each([0, -1, 0.5, Number.NaN])('%d is no idle time [WH-18]', (idleMinutes) => {
  const parsed = warehouse.create.input.safeParse({ name: 'w', idleMinutes })
  expect(parsed.error?.issues[0]?.message).toBe('Enter the idle time')
})
