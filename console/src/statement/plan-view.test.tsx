import { render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { PlanNode } from './plan-node.ts'
import { PlanView } from './plan-view.tsx'

const SCAN: PlanNode = {
  operator: 'SEQ_SCAN',
  kind: 'scan',
  detail: 'Table: sailed',
  timeMs: 2,
  rows: 20_000,
  children: [],
}
const JOIN: PlanNode = {
  operator: 'HASH_JOIN',
  kind: 'join',
  detail: '',
  timeMs: 6,
  rows: 400_000,
  folded: 2,
  children: [SCAN, { ...SCAN, operator: 'ScanFilter' }],
}
const ADVICE = [
  {
    advice: 'joinMultiplies' as const,
    operator: 0,
    rowsIn: 20_000,
    rowsOut: 400_000,
    bytes: null,
    timeShare: 0.6,
  },
  {
    advice: 'spills' as const,
    operator: null,
    rowsIn: null,
    rowsOut: null,
    bytes: 3 * 1024 ** 2,
    timeShare: null,
  },
]

test('an operator says what it does, and how much of the engine is folded into it', () => {
  render(<PlanView root={JOIN} advice={ADVICE} text={null} />)
  const [, join, scan, other] = screen.getAllByRole('row')
  expect(join?.textContent).toContain('Hash join')
  expect(join?.textContent).toContain('Finds matching rows of its two inputs. With 2 steps that only store')
  expect(join?.textContent).toContain('Advice')
  expect(scan?.textContent).toContain('Reads the rows of a table or a file.')
  expect(scan?.textContent).not.toContain('Advice')
  expect(other?.textContent).toContain('Scan filter')
})

test('advice has its figures and what to do', () => {
  render(<PlanView root={JOIN} advice={ADVICE} text={null} />)
  const [multiplies, spills] = within(screen.getByRole('list', { name: 'Advice' })).getAllByRole('listitem')
  expect(multiplies?.textContent).toContain('Hash join makes 400')
  expect(multiplies?.textContent).toContain('20 times as many')
  expect(multiplies?.textContent).toContain('60 % of the time')
  expect(spills?.textContent).toContain('All operators: up to 3')
  expect(spills?.textContent).not.toContain('of the time')
})

test('without advice there is no list of it; the text is what the engine wrote', async () => {
  render(<PlanView root={SCAN} text="┌ as written" />)
  expect(screen.queryByRole('list', { name: 'Advice' })).toBeNull()
  await userEvent.click(screen.getByRole('radio', { name: 'Text' }))
  expect(screen.getByRole('figure').textContent).toContain('as written')
})

test('a plan without a tree is shown as text', () => {
  render(<PlanView root={null} text="Fragment 0" />)
  expect(screen.queryByRole('table')).toBeNull()
  expect(screen.getByRole('figure').textContent).toContain('Fragment 0')
})
