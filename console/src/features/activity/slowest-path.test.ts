import type { ProfileNode } from '@boathouse/contract/query'
import { expect, test } from 'vitest'
import { profileRows, shareOfPath, slowestPath } from './slowest-path.ts'

const node = (operator: string, timeMs: number, ...children: ProfileNode[]): ProfileNode => ({
  operator,
  detail: '',
  timeMs,
  rows: 1,
  children,
})

const PLAN = node('sort', 1, node('join', 10, node('scan a', 30), node('filter', 1, node('scan b', 50))))

test('the slowest path goes to the part that took longest, not to the operator that did', () => {
  expect(slowestPath(PLAN).map(({ operator }) => operator)).toEqual(['sort', 'join', 'filter', 'scan b'])
  expect(shareOfPath(PLAN)).toBeCloseTo(62 / 92)
})

test('the tree is told in lines, with the slowest operator marked once', () => {
  expect(
    profileRows(PLAN).map(({ node: { operator }, depth, isSlow, isSlowest }) =>
      [depth, operator, isSlow && 'slow', isSlowest && 'slowest'].filter(Boolean).join(' '),
    ),
  ).toEqual(['sort slow', '1 join slow', '2 scan a', '2 filter slow', '3 scan b slow slowest'])
})

test('a plan that took no time has no slowest operator', () => {
  expect(profileRows(node('scan', 0)).map(({ isSlowest }) => isSlowest)).toEqual([false])
  expect(shareOfPath(node('scan', 0))).toBe(0)
})
