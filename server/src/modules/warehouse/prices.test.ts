import { expect, test } from 'vitest'
import { ccuSeconds, costOf, microUsdOf, microUsdPerCcu, usdText } from './prices.ts'

const at = new Date('2026-03-01T09:00:00Z')

test('a CCU costs 0.68 USD in the lake edition and 1.58 in the standard one [WH-20]', () => {
  expect(microUsdPerCcu({ edition: 'lake', region: 'local-1', at })).toBe(680_000)
  expect(microUsdPerCcu({ edition: 'standard', region: 'local-1', at })).toBe(1_580_000)
})

test('the row of the region and the latest that is valid decide', () => {
  const row = { edition: 'lake', region: '*' } as const
  const prices = [
    { ...row, from: '2026-01-01', microUsd: 1 },
    { ...row, from: '2026-03-01', microUsd: 2 },
    { ...row, from: '2026-03-02', microUsd: 3 },
    { ...row, from: '2026-02-01', region: 'far', microUsd: 4 },
  ]
  expect(microUsdPerCcu({ edition: 'lake', region: 'near', at }, prices)).toBe(2)
  expect(microUsdPerCcu({ edition: 'lake', region: 'far', at }, prices)).toBe(4)
  expect(() => microUsdPerCcu({ edition: 'standard', region: 'far', at }, prices)).toThrow('no price')
})

test('an hour of each size costs its CCU, and parts of it to the millionth', () => {
  expect(costOf([{ weighedSeconds: ccuSeconds('Medium', 3600), microUsd: 680_000 }])).toEqual({
    ccu: '4',
    usd: '2.72',
  })
  expect(costOf([{ weighedSeconds: ccuSeconds('Medium', 9000), microUsd: 680_000 }])).toEqual({
    ccu: '10',
    usd: '6.80',
  })
  expect(costOf([{ weighedSeconds: ccuSeconds('X-Small', 60), microUsd: 1_580_000 }])).toEqual({
    ccu: '0.016667',
    usd: '0.026333',
  })
  expect(costOf([{ weighedSeconds: 0, microUsd: 680_000 }])).toEqual({ ccu: '0', usd: '0.00' })
})

test('what was used at several prices is added up before it is rounded', () => {
  const used = [
    { weighedSeconds: 1000, microUsd: 680_000 },
    { weighedSeconds: 2600, microUsd: 1_580_000 },
  ]
  expect(costOf(used)).toEqual({ ccu: '1', usd: '1.33' })
  expect(costOf([])).toEqual({ ccu: '0', usd: '0.00' })
})

test('a price is kept as a decimal text and read back as it was', () => {
  for (const microUsd of [0, 1, 680_000, 1_580_000, 12_345_678])
    expect(microUsdOf(usdText(microUsd))).toBe(microUsd)
  expect(usdText(680_000)).toBe('0.680000')
})
