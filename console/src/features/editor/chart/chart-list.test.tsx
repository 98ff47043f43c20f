import { LIMITS } from '@boathouse/contract/limits'
import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import '../../../i18n/chart.ts'
import { UNCHOSEN } from '../../../statement/chart/unchosen.ts'
import { ChartList } from './chart-list.tsx'
import { type Charts, withCopy } from './charts.ts'

function Desk() {
  const all = Array.from({ length: LIMITS.charts }, (_, at) => ({ ...UNCHOSEN, x: `x${at}` }))
  const [charts, setCharts] = useState<Charts>({ all, at: 2 })
  return (
    <>
      <ChartList charts={charts} onChange={setCharts} />
      <button onClick={() => setCharts(withCopy(charts))}>another</button>
      <output>{charts.all.map(({ x }) => x).join(' ')}</output>
    </>
  )
}

const click = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const restore = () => screen.queryByRole('button', { name: 'Restore chart 3' })

test('a removed chart is not offered again when there are as many as can be kept', () => {
  render(<Desk />)
  click('Remove chart 3')
  expect(restore()).not.toBeNull()
  click('another')
  expect(restore()).toBeNull()
})

test('a removed chart comes back to its place', () => {
  render(<Desk />)
  const before = screen.getByRole('status').textContent
  click('Remove chart 3')
  expect(screen.getByRole('status').textContent).not.toBe(before)
  click('Restore chart 3')
  expect(screen.getByRole('status').textContent).toBe(before)
})
