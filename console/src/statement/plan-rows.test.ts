import { expect, test } from 'vitest'
import type { PlanNode } from './plan-node.ts'
import { planRows, type Rail, shareOfPath, slowestPath } from './plan-rows.ts'
import { planText } from './plan-text.ts'

const node = (operator: string, timeMs: number | null, ...children: PlanNode[]): PlanNode => ({
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

const LETTERS: Readonly<Record<Rail['shape'], string>> = { past: '│', branch: '├', end: '└', none: ' ' }
const drawn = ({ shape, isSlow }: Rail): string => `${LETTERS[shape]}${isSlow ? '!' : ''}`

test('the tree is put in rows, with lines along the slowest path and the slowest operator marked once', () => {
  expect(
    planRows(PLAN).map(({ node: { operator }, rails, isSlow, isSlowest }) =>
      [rails.map(drawn).join(''), operator, isSlow && 'slow', isSlowest && 'slowest']
        .filter(Boolean)
        .join(' '),
    ),
  ).toEqual(['sort slow', '└! join slow', ' ├! scan a', ' └! filter slow', '  └! scan b slow slowest'])
})

test('a line goes past everything that is read before the last', () => {
  const plan = node('join', 0, node('filter', 0, node('scan a', 0)), node('scan b', 0))
  expect(planRows(plan).map(({ rails }) => rails.map(drawn).join(''))).toEqual(['', '├', '│└', '└'])
})

test.each([[0], [null]])('a plan that took %s ms has no slowest path and no slowest operator', (ms) => {
  expect(planRows(node('scan', ms))).toMatchObject([{ isSlow: false, isSlowest: false }])
  expect(shareOfPath(node('scan', ms))).toBe(0)
})

test('as text each operator is a line, further in than the one that reads from it', () => {
  expect(planText(PLAN).split('\n').slice(0, 3)).toEqual([
    'sort (1 ms, 1 rows)',
    '  join (10 ms, 1 rows)',
    '    scan a (30 ms, 1 rows)',
  ])
})
