import { expect, test } from 'vitest'
import type { ChartSettings } from '@boathouse/contract/editor'
import { UNCHOSEN } from '../../../statement/chart/unchosen.ts'
import { chartsOf, lookOf, withAgain, withCopy, without } from './charts.ts'

const named = (x: string): ChartSettings => ({ ...UNCHOSEN, x, shown: true })
const [one, two, three] = [named('one'), named('two'), named('three')]
const names = ({ all }: { readonly all: readonly ChartSettings[] }) => all.map(({ x }) => x)

test('charts keep their order whichever of them is shown', () => {
  for (const at of [0, 1, 2]) {
    const look = lookOf({ all: [one, two, three], at })
    const again = chartsOf(named(look.x ?? ''), { others: look.otherCharts ?? [], at: look.chartAt ?? 0 })
    expect([names(again), again.at]).toEqual([['one', 'two', 'three'], at])
  }
})

test('a place that is not there any more is the last one', () => {
  expect(chartsOf(one, { others: [two], at: 7 })).toMatchObject({ at: 1 })
})

test('a copy is the last one and shown, and a chart that is removed comes back to its place', () => {
  const more = withCopy({ all: [one, two], at: 0 })
  expect([names(more), more.at]).toEqual([['one', 'two', 'one'], 2])
  const fewer = without({ ...more, at: 1 })
  expect([names(fewer), fewer.at]).toEqual([['one', 'one'], 1])
  const again = withAgain(fewer, two, 1)
  expect([names(again), again.at]).toEqual([['one', 'two', 'one'], 1])
  expect(without({ all: [one, two], at: 1 })).toMatchObject({ all: [one], at: 0 })
})
