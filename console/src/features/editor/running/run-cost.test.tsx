import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { editorServer, editorView, loadEditor, typeText } from '../testing/editor-desk.tsx'
import { ORDERS } from '../testing/tab-calls.ts'

let server: ReturnType<typeof editorServer>
beforeEach(() => {
  window.sessionStorage.clear()
  server = editorServer()
})

/** What is shown about the statement at the cursor, before it runs. */
async function openRunMenu() {
  await userEvent.click(screen.getByRole('button', { name: 'More run options' }))
  return screen.findByRole('menu', { name: 'More run options' })
}

const run = (seconds: number, usd: string | null) => ({ queryId: '', seconds, rows: 1, usd })

test('pain 28: the price of the warehouse and the earlier cost of the statement are shown before it runs', async () => {
  server.state.earlierRuns = [run(2.5, '0.0047208'), run(1.2, '1234.000227'), run(1.3, null)]
  loadEditor({ address: `/?activeTab=${ORDERS}&tabName=Orders` })
  const view = await editorView()
  // To the last digit, as in activity and on the bill.
  const menu = await openRunMenu()
  await screen.findByText('default_warehouse costs 0.68 USD per hour while it runs.')
  await screen.findByText('Its last 3 runs took 1.2 s to 2.5 s and cost 0.0047208 to 1234.000227 USD.')
  expect(server.callsOf('query.earlierRuns')).toEqual([{ sql: 'select 1' }])
  expect(menu.querySelectorAll('[role=menuitem]')).toHaveLength(5)
  await userEvent.keyboard('{Escape}')

  server.state.earlierRuns = []
  typeText(view, 'select 9')
  await openRunMenu()
  await screen.findByText('No cost estimate: this text has no finished run yet.')
  await userEvent.keyboard('{Escape}')

  typeText(view, 'select 7; select 8')
  act(() => view.dispatch({ selection: { anchor: 0, head: view.state.doc.length } }))
  await openRunMenu()
  await screen.findByText('Several statements are selected. You see the cost of each after it runs.')
})
