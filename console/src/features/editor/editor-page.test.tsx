import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { diagnosticCount, forEachDiagnostic } from '@codemirror/lint'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { editorServer, editorView, loadEditor, typeText } from './testing/editor-desk.tsx'
import { ORDERS, PARTS } from './testing/tab-calls.ts'

let server: ReturnType<typeof editorServer>
beforeEach(() => {
  window.sessionStorage.clear()
  server = editorServer()
})

const openOrders = () => loadEditor({ address: `/?activeTab=${ORDERS}&tabName=Orders` })
const press = (target: Element, init: KeyboardEventInit) => fireEvent.keyDown(target, init)
const runKey = { key: 'Enter', code: 'Enter', keyCode: 13, ctrlKey: true } as const

describe('opening the editor', () => {
  test('opens the tab of the address with its text, and makes it the active one [SHELL-10]', async () => {
    openOrders()
    expect((await editorView()).state.doc.toString()).toBe('select 1;\nselect 2;\n')
    expect(screen.getByRole('tab', { name: 'Orders' })).toBeTruthy()
    await waitFor(() => expect(server.callsOf('editor.activeTab')).toEqual([{ tabId: ORDERS }]))
  })

  test('without a tab in the address opens the one last used and puts it there [SHELL-10]', async () => {
    const page = loadEditor()
    expect((await editorView()).state.doc.toString()).toBe('select 3')
    expect(page.address()).toEqual({ activeTab: PARTS, tabName: 'Parts' })
  })

  test('with a tab that is gone says so and opens another', async () => {
    const gone = '33333333-3333-4333-8333-333333333333'
    const page = loadEditor({ address: `/?activeTab=${gone}&tabName=Gone` })
    expect(await screen.findByText(/no longer exists/)).toBeTruthy()
    await editorView()
    expect(page.address()['activeTab']).toBe(PARTS)
  })

  test('without any saved query offers to write the first one', async () => {
    server.tabs.clear()
    const page = loadEditor()
    expect(await screen.findByText('Write your first query')).toBeTruthy()
    const [button] = screen.getAllByRole('button', { name: 'Create query' }).slice(-1)
    await userEvent.click(button!)
    await editorView()
    expect(page.address()['tabName']).toBe('Untitled 1')
  })

  test('a double click creates one query', async () => {
    server.tabs.clear()
    loadEditor()
    expect(await screen.findByText('Write your first query')).toBeTruthy()
    const [button] = screen.getAllByRole('button', { name: 'Create query' }).slice(-1)
    // Both in one moment: nothing is rendered between them.
    act(() => {
      button!.click()
      button!.click()
    })
    await editorView()
    expect(server.callsOf('editor.createTab')).toHaveLength(1)
  })

  test('a query is opened from the tree with the keyboard, and the address follows', async () => {
    const page = openOrders()
    const view = await editorView()
    const tree = screen.getByRole('tree', { name: 'Saved queries' })
    act(() => within(tree).getByRole('treeitem', { name: 'Orders' }).focus())
    await userEvent.keyboard('{End}{Enter}')
    await waitFor(() => expect(view.state.doc.toString()).toBe('select 3'))
    expect(page.address()).toEqual({ activeTab: PARTS, tabName: 'Parts' })
    expect(within(tree).getByRole('treeitem', { name: 'Parts' }).getAttribute('aria-selected')).toBe('true')
  })

  test('tabs keep their own text when one switches between them', async () => {
    const page = openOrders()
    const view = await editorView()
    typeText(view, 'select 111')
    await userEvent.click(screen.getByRole('treeitem', { name: 'Parts' }))
    await waitFor(() => expect(view.state.doc.toString()).toBe('select 3'))
    act(() => page.router.history.back())
    await waitFor(() => expect(view.state.doc.toString()).toBe('select 111'))
  })
})

describe('reloading the page', () => {
  test('keeps text that was typed a moment ago', async () => {
    const page = openOrders()
    typeText(await editorView(), 'select 42 -- not saved yet')
    server.setOffline(true)
    page.leave()
    server.setOffline(false)
    openOrders()
    expect((await editorView()).state.doc.toString()).toBe('select 42 -- not saved yet')
    await waitFor(() => expect(server.tabs.get(ORDERS)?.sql).toBe('select 42 -- not saved yet'))
  })

  test('shows a conflict when the query was changed elsewhere, and the user chooses', async () => {
    const page = openOrders()
    typeText(await editorView(), 'mine')
    server.setOffline(true)
    page.leave()
    server.setOffline(false)
    server.tabs.set(ORDERS, { name: 'Orders', sql: 'theirs', revision: 5 })
    openOrders()
    const view = await editorView()
    expect(view.state.doc.toString()).toBe('mine')
    const banner = await screen.findByRole('alert')
    expect(banner.textContent).toContain('changed elsewhere')
    await userEvent.click(within(banner).getByRole('button', { name: 'Use saved' }))
    expect(view.state.doc.toString()).toBe('theirs')
    expect(screen.queryByRole('alert')).toBeNull()
    expect(server.tabs.get(ORDERS)).toMatchObject({ sql: 'theirs', revision: 5 })
  })

  test('"Use mine" saves the text of this browser', async () => {
    const page = openOrders()
    typeText(await editorView(), 'mine')
    server.setOffline(true)
    page.leave()
    server.setOffline(false)
    server.tabs.set(ORDERS, { name: 'Orders', sql: 'theirs', revision: 5 })
    openOrders()
    await editorView()
    await userEvent.click(await screen.findByRole('button', { name: 'Use mine' }))
    await waitFor(() => expect(server.tabs.get(ORDERS)).toMatchObject({ sql: 'mine', revision: 6 }))
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('continues in the database that was chosen before', async () => {
    const page = openOrders()
    const view = await editorView()
    typeText(view, 'use tpch')
    press(view.contentDOM, runKey)
    page.answer({ connId: 9, fields: [], result: [], dbChange: true, db: 'tpch' })
    page.leave()
    const again = openOrders()
    press((await editorView()).contentDOM, runKey)
    const preparation = again.sockets
      .latest()
      .sent.flatMap((one) => (one.cmd === 2 ? [one.queryReq] : []))
      .find(({ sql }) => sql.includes('VARIABLES'))
    expect(preparation).toMatchObject({ connId: 0, oriConnId: 9 })
    expect(preparation?.sql).toContain('"default_catalog"."tpch"')
    expect(again.query()).toMatchObject({ connId: 1, sql: 'use tpch' })
    expect(screen.getByRole('toolbar').textContent).toContain('default_catalog.tpch')
  })
})

describe('a run that nothing was heard of', () => {
  test('is requested after a lost channel, which is shown, and then its true answer is shown', async () => {
    const page = openOrders()
    press((await editorView()).contentDOM, runKey)
    act(() => page.clock.advance(11_000))
    act(() => page.sockets.latest().drop())
    act(() => page.clock.advance(1_000))
    act(() => page.sockets.latest().accept())
    expect(screen.getByText('Checking its state…')).toBeTruthy()
    expect(screen.getByText('Unknown')).toBeTruthy()
    page.answer({ result: [['42']] })
    expect(screen.queryByText(/Checking/)).toBeNull()
    expect(screen.getByText('Finished')).toBeTruthy()
  })

  test('is requested after a reload, and its rows appear', async () => {
    const page = openOrders()
    press((await editorView()).contentDOM, runKey)
    const sent = page.query()
    page.vanish()
    const again = openOrders()
    await editorView()
    expect(screen.getByText('Checking its state…')).toBeTruthy()
    expect(again.query()).toEqual(sent)
    again.answer({ result: [['42']] })
    expect(screen.getByText('1 row')).toBeTruthy()
  })
})

test('a run that had ended before a reload shows no growing time until its own is known', async () => {
  const page = openOrders()
  press((await editorView()).contentDOM, runKey)
  page.answer({ result: [['42']], timeUsed: 40 })
  expect(screen.getByText('40 ms')).toBeTruthy()
  page.leave()
  const again = openOrders()
  await editorView()
  act(() => again.clock.advance(6_300))
  expect(screen.queryByText(/\d s$/)).toBeNull()
  again.answer({ result: [['42']], timeUsed: 40 })
  expect(screen.getByText('40 ms')).toBeTruthy()
})

describe('running', () => {
  test('Mod+Enter runs the statement at the cursor', async () => {
    const page = openOrders()
    const view = await editorView()
    typeText(view, 'select 1;\nselect 2;', 12)
    press(view.contentDOM, runKey)
    expect(page.query()).toMatchObject({ sql: 'select 2', channel: ORDERS })
  })

  test('Mod+Enter runs the selection when there is one', async () => {
    const page = openOrders()
    const view = await editorView()
    typeText(view, 'select 1; select 2')
    act(() => view.dispatch({ selection: { anchor: 0, head: 8 } }))
    press(view.contentDOM, runKey)
    expect(page.query().sql).toBe('select 1')
  })

  test('Mod+Shift+Enter runs everything, and the button runs the statement', async () => {
    const page = openOrders()
    const view = await editorView()
    press(view.contentDOM, { ...runKey, shiftKey: true })
    expect(page.query().sql).toBe('select 1;\nselect 2;\n')
    page.answer({ statementCount: 1 })
    await userEvent.click(screen.getByRole('button', { name: 'Run' }))
    expect(page.query().sql).toBe('select 1')
  })

  test('Mod+Enter runs from anywhere on the page, not only in the text', async () => {
    const page = openOrders()
    await editorView()
    press(screen.getByRole('toolbar', { name: 'Query' }), runKey)
    expect(page.query().sql).toBe('select 1')
  })

  test('without a statement says that there is nothing to run', async () => {
    const page = openOrders()
    const view = await editorView()
    typeText(view, '-- only a comment')
    press(view.contentDOM, runKey)
    expect(await screen.findByText(/no statement to run/)).toBeTruthy()
    expect(page.sockets.latest().queries()).toEqual([])
  })

  test('shows state, rows, time and the query id of the result [EDITOR-18]', async () => {
    const page = openOrders()
    press((await editorView()).contentDOM, runKey)
    const result = screen.getByRole('region', { name: 'Result' })
    expect(within(result).getByText('Running')).toBeTruthy()
    page.answer({ queryId: '0000-abcdef12', timeUsed: 1_840, truncated: true })
    for (const text of ['Finished', 'first 1 rows', '1 column', '1.84 s', 'query abcdef12'])
      expect(within(result).getByText(text)).toBeTruthy()
    const grid = within(result).getByRole('grid', { name: 'Rows of the result' })
    expect(grid.getAttribute('aria-rowcount')).toBe('2')
    expect(grid.getAttribute('aria-colcount')).toBe('2')
  })

  test('shows one chip for each statement, and the result of the one that is chosen', async () => {
    const page = openOrders()
    const view = await editorView()
    press(view.contentDOM, { ...runKey, shiftKey: true })
    const part = { statementCount: 2 } as const
    page.answer({ ...part, statementIndex: 0, statementStart: 0, statementEnd: 8 })
    page.answer({
      ...part,
      statementIndex: 1,
      statementStart: 10,
      statementEnd: 18,
      result: [],
      totalRows: 0,
    })
    const chips = within(screen.getByRole('tablist', { name: 'Statements of this run' })).getAllByRole('tab')
    expect(chips.map((chip) => chip.getAttribute('aria-label'))).toEqual([
      '1 select 1, Finished',
      '2 select 2, Finished',
    ])
    expect(screen.getByText('No rows')).toBeTruthy()
    await userEvent.click(chips[0]!)
    expect(screen.queryByText('No rows')).toBeNull()
    expect(screen.getByText('1 row')).toBeTruthy()
  })

  test('a statement without rows says what it changed', async () => {
    const page = openOrders()
    const view = await editorView()
    typeText(view, 'insert into t select 1')
    press(view.contentDOM, runKey)
    page.answer({ fields: [], result: [], totalRows: 1_234 })
    expect(screen.getByText('1,234 rows inserted.')).toBeTruthy()
  })

  test('a change of database is shown in the toolbar', async () => {
    const page = openOrders()
    const view = await editorView()
    typeText(view, 'use tpch')
    press(view.contentDOM, runKey)
    page.answer({ fields: [], result: [], dbChange: true, db: 'tpch' })
    expect(screen.getByText('This tab now uses the database tpch.')).toBeTruthy()
    expect(screen.getByRole('toolbar').textContent).toContain('default_catalog.tpch')
  })

  test('Stop asks the service and stays "Stopping…" until the final answer', async () => {
    const page = openOrders()
    press((await editorView()).contentDOM, runKey)
    await userEvent.click(screen.getByRole('button', { name: 'Stop' }))
    await waitFor(() =>
      expect(server.callsOf('editor.kill')).toEqual([{ requestId: page.query().requestId }]),
    )
    expect(screen.getByRole('button', { name: 'Stopping…' })).toBeTruthy()
    page.answer({
      queryState: 3,
      errCode: 40008,
      errMsg: 'Stopped at your request.',
      fields: [],
      result: [],
    })
    expect(screen.queryByRole('button', { name: /Stop/ })).toBeNull()
    expect(screen.getByText('Stopped')).toBeTruthy()
  })
})

const fail = async () => {
  const page = openOrders()
  const view = await editorView()
  typeText(view, 'select 1;\nselect * from oops;', 14)
  press(view.contentDOM, runKey)
  const errPosition = { offset: 14, line: 1, column: 15 }
  const failed = { queryState: 3, errCode: 42200, errMsg: 'no such table: oops', errPosition } as const
  page.answer({ ...failed, fields: [], result: [] })
  return view
}

describe('an error', () => {
  test('is shown with its place in the whole text, and underlined there [EDITOR-18]', async () => {
    const view = await fail()
    expect(screen.getByText('no such table: oops')).toBeTruthy()
    expect(screen.getByText('Line 2, column 15')).toBeTruthy()
    const marked: string[] = []
    forEachDiagnostic(view.state, (_, from, to) => marked.push(view.state.sliceDoc(from, to)))
    expect(marked).toEqual(['oops'])
  })

  test('is reached by "Go to error"', async () => {
    const view = await fail()
    await userEvent.click(screen.getByRole('button', { name: 'Go to error' }))
    expect(view.state.selection.main.head).toBe(24)
  })

  test('is no longer underlined once the statement was changed', async () => {
    const view = await fail()
    typeText(view, 'select 1;\nselect * from orders;')
    await waitFor(() => expect(diagnosticCount(view.state)).toBe(0))
    expect(screen.queryByRole('button', { name: 'Go to error' })).toBeNull()
  })
})

describe('the connection', () => {
  test('lost during a query is shown, and that it reconnects [EDITOR-25, EDITOR-26]', async () => {
    const page = openOrders()
    press((await editorView()).contentDOM, runKey)
    act(() => page.sockets.latest().drop())
    const message = screen.getByRole('alert').textContent
    expect(message).toContain('The connection was lost while a query was running.')
    expect(message).toContain('Reconnecting. The result')
  })

  test('lost without a query is shown as reconnecting, until it is back [EDITOR-26]', async () => {
    const page = openOrders()
    await editorView()
    expect(screen.queryByText(/Reconnecting/)).toBeNull()
    act(() => page.sockets.latest().drop())
    expect(screen.getByText(/Reconnecting. You can/)).toBeTruthy()
    act(() => page.clock.advance(1_000))
    act(() => page.sockets.latest().accept())
    expect(screen.queryByText(/Reconnecting/)).toBeNull()
  })

  test('that is away when a query is run has lost nothing, and a query that is then left was stopped', async () => {
    const page = openOrders()
    const view = await editorView()
    act(() => page.sockets.latest().drop())
    press(view.contentDOM, runKey)
    expect(await screen.findByText('Not sent: waiting for the connection')).toBeTruthy()
    expect(screen.getByText(/Reconnecting. You can/)).toBeTruthy()
    expect(screen.queryByText(/lost while a query was running/)).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(screen.getByText('You stopped this query before it was sent.')).toBeTruthy()
    expect(screen.getByText('Stopped')).toBeTruthy()
    expect(screen.queryByText('The statement failed')).toBeNull()
  })

  test('opening for the first time is no loss', async () => {
    loadEditor({ isOpen: false })
    await editorView()
    expect(screen.queryByText(/Reconnecting/)).toBeNull()
  })

  test('without a running warehouse tells how to resume one [EDITOR-27]', async () => {
    server.state.warehouse = 'Suspended'
    openOrders()
    expect(await screen.findByText('No warehouse is running. Run a query to resume one.')).toBeTruthy()
    expect(screen.getByRole('toolbar').textContent).toContain('Suspended')
  })
})

test('the browser asks before a text goes that is kept nowhere, also when another page is shown', async () => {
  const isAsked = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  const page = openOrders()
  const view = await editorView()
  expect(isAsked()).toBe(false)
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  typeText(view, 'select 12')
  expect(isAsked()).toBe(true)
  page.unmount()
  expect(isAsked()).toBe(true)
  await waitFor(() => expect(isAsked()).toBe(false))
  expect(server.tabs.get(ORDERS)?.sql).toContain('select 12')
  full.mockRestore()
})
