import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'
import { editorServer, editorView, loadEditor, typeText } from '../testing/editor-desk.tsx'
import { ORDERS, PARTS } from '../testing/tab-calls.ts'

let server: ReturnType<typeof editorServer>
beforeEach(() => {
  window.sessionStorage.clear()
  window.localStorage.clear()
  server = editorServer()
  server.tabs.set(ORDERS, { name: 'Orders', sql: 'select 1', revision: 1, position: 1 })
  server.tabs.set(PARTS, { name: 'Parts', sql: 'select 3', revision: 1, position: 2 })
})

const open = () => loadEditor({ address: `/?activeTab=${ORDERS}&tabName=Orders` })
const strip = () => screen.getByRole('tablist', { name: 'Open queries' })
const names = () =>
  within(strip())
    .getAllByRole('tab')
    .map((tab) => tab.textContent)
const tab = (name: string) => within(strip()).getByRole('tab', { name })
const runKey = { key: 'Enter', code: 'Enter', keyCode: 13, ctrlKey: true } as const

describe('several open tabs [EDITOR-01]', () => {
  test('are in their order; a click shows one, and the address follows', async () => {
    const page = open()
    const view = await editorView()
    expect(names()).toEqual(['Orders', 'Parts'])
    await userEvent.click(tab('Parts'))
    await waitFor(() => expect(view.state.doc.toString()).toBe('select 3'))
    expect(page.address()).toEqual({ activeTab: PARTS, tabName: 'Parts' })
    expect(tab('Parts').getAttribute('aria-selected')).toBe('true')
  })

  test('pain 2: each has its own text, connection and result, whatever happens in between', async () => {
    const page = open()
    const view = await editorView()
    fireEvent.keyDown(view.contentDOM, runKey)
    const first = page.query()
    await userEvent.click(tab('Parts'))
    await waitFor(() => expect(view.state.doc.toString()).toBe('select 3'))
    fireEvent.keyDown(view.contentDOM, runKey)
    expect(page.query()).toMatchObject({ sql: 'select 3', channel: PARTS })
    page.answer({ connId: 8, result: [['a'], ['b'], ['c']], totalRows: 3 })
    const { answerTo } = await import('@boathouse/client/testing/fake-socket')
    act(() => page.sockets.latest().deliver(answerTo(first, { connId: 7, result: [['one']], totalRows: 1 })))
    expect(screen.getByText('3 rows')).toBeTruthy()
    expect(screen.queryByText('1 row')).toBeNull()
    await userEvent.click(tab('Orders'))
    expect(await screen.findByText('1 row')).toBeTruthy()
    fireEvent.keyDown(view.contentDOM, runKey)
    expect(page.query()).toMatchObject({ connId: 7, channel: ORDERS })
  })

  test('one is closed and stays saved; the one beside it is shown', async () => {
    const page = open()
    await editorView()
    fireEvent.keyDown(tab('Orders'), { key: 'Delete' })
    await waitFor(() => expect(names()).toEqual(['Parts']))
    expect(page.address()['activeTab']).toBe(PARTS)
    expect(server.callsOf('editor.hideTab')).toEqual([{ tabId: ORDERS }])
    expect(screen.getByRole('treeitem', { name: /^Orders/ })).toBeTruthy()
  })

  test('pain 4: the last closed one is reopened with Mod+Shift+T', async () => {
    const page = open()
    await editorView()
    fireEvent.keyDown(tab('Orders'), { key: 'Delete' })
    await waitFor(() => expect(names()).toEqual(['Parts']))
    fireEvent.keyDown(window, { key: 'T', ctrlKey: true, shiftKey: true })
    await waitFor(() => expect(page.address()['activeTab']).toBe(ORDERS))
    await waitFor(() => expect(names()).toEqual(['Orders', 'Parts']))
  })

  const entries = async () => (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)

  test('the other mouse button, Shift+F10 and the menu key open the menu of a tab, not only of the shown one', async () => {
    open()
    await editorView()
    fireEvent.contextMenu(tab('Parts'))
    const menu = await screen.findByRole('menu', { name: 'Actions for Parts' })
    expect(await entries()).toEqual([
      expect.stringContaining('Rename'),
      'Duplicate',
      expect.stringContaining('Close'),
      'Close others',
      'Close to the right',
      expect.stringContaining('Reopen'),
      'Delete',
    ])
    // There is nothing to its right.
    const last = within(menu).getByRole('menuitem', { name: 'Close to the right' })
    expect(last.getAttribute('aria-disabled')).toBe('true')
    await userEvent.keyboard('{Escape}')
    expect(document.activeElement).toBe(tab('Parts'))
    for (const key of [{ key: 'F10', shiftKey: true }, { key: 'ContextMenu' }]) {
      fireEvent.keyDown(tab('Orders'), key)
      expect(await screen.findByRole('menu', { name: 'Actions for Orders' })).toBeTruthy()
      await userEvent.keyboard('{Escape}')
      await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    }
  })

  test('all to the right are closed; the one that stays is shown', async () => {
    const page = open()
    await editorView()
    await userEvent.click(tab('Parts'))
    await waitFor(() => expect(page.address()['activeTab']).toBe(PARTS))
    fireEvent.contextMenu(tab('Orders'))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Close to the right' }))
    await waitFor(() => expect(names()).toEqual(['Orders']))
    expect(page.address()['activeTab']).toBe(ORDERS)
    expect(server.callsOf('editor.hideTab')).toEqual([{ tabId: PARTS }])
  })

  test('a duplicate has the text on the screen, and that of one that was not looked at as it is saved', async () => {
    open()
    const view = await editorView()
    typeText(view, 'select 1 + 1')
    fireEvent.contextMenu(tab('Orders'))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Duplicate' }))
    await waitFor(() => expect(names()).toEqual(['Orders', 'Parts', 'Orders copy']))
    expect(server.callsOf('editor.createTab')).toMatchObject([
      { tabName: 'Orders copy', sql: 'select 1 + 1' },
    ])
    fireEvent.contextMenu(tab('Parts'))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Duplicate' }))
    await waitFor(() => expect(names()).toContain('Parts copy'))
    expect(server.callsOf('editor.createTab')[1]).toMatchObject({ tabName: 'Parts copy', sql: 'select 3' })
  })

  test('all of them are in a list, from which one is chosen', async () => {
    const page = open()
    await editorView()
    await userEvent.click(screen.getByRole('button', { name: 'List open queries' }))
    const menu = await screen.findByRole('menu', { name: 'Open queries' })
    expect(within(menu).getByText('2 open queries')).toBeTruthy()
    await userEvent.click(within(menu).getByRole('menuitem', { name: /^Parts/ }))
    await waitFor(() => expect(page.address()['activeTab']).toBe(PARTS))
  })

  test('pain 4: so does a deleted one, with its text', async () => {
    const page = open()
    const view = await editorView()
    await userEvent.click(screen.getByRole('button', { name: 'Actions for the open query' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    await waitFor(() => expect(names()).toEqual(['Parts']))
    expect(await screen.findByText(/restore it for 30 days/)).toBeTruthy()
    fireEvent.keyDown(window, { key: 'T', ctrlKey: true, shiftKey: true })
    await waitFor(() => expect(page.address()['activeTab']).toBe(ORDERS))
    await waitFor(() => expect(view.state.doc.toString()).toBe('select 1'))
  })

  test('when the last one is closed, the page says what to do', async () => {
    open()
    await editorView()
    fireEvent.keyDown(tab('Orders'), { key: 'Delete' })
    await waitFor(() => expect(names()).toEqual(['Parts']))
    fireEvent.keyDown(tab('Parts'), { key: 'Delete' })
    expect(await screen.findByText('No open query')).toBeTruthy()
  })

  test('Alt and an arrow move one, and the order is saved', async () => {
    open()
    await editorView()
    fireEvent.keyDown(tab('Orders'), { key: 'ArrowRight', altKey: true })
    await waitFor(() => expect(names()).toEqual(['Parts', 'Orders']))
    expect(server.callsOf('editor.orderTabs')).toEqual([{ tabIds: [PARTS, ORDERS] }])
  })

  test('F2 renames; a name by the rule is refused with its words [EDITOR-09, EDITOR-10]', async () => {
    const page = open()
    await editorView()
    fireEvent.keyDown(tab('Orders'), { key: 'F2' })
    const field = await screen.findByLabelText('Query name')
    await userEvent.clear(field)
    expect(await screen.findByText('Enter the query name')).toBeTruthy()
    await userEvent.type(field, 'x'.repeat(33))
    expect(await screen.findByText('The maximum length is 32')).toBeTruthy()
    await userEvent.clear(field)
    await userEvent.type(field, 'Turnover{Enter}')
    await waitFor(() => expect(names()).toEqual(['Turnover', 'Parts']))
    await waitFor(() => expect(page.address()['tabName']).toBe('Turnover'))
    expect(server.callsOf('editor.updateTabName')).toEqual([{ tabId: ORDERS, tabName: 'Turnover' }])
  })
})

describe('a sample', () => {
  test('is left as it is: what is written goes into a copy, without losing a key or the cursor', async () => {
    server.tabs.set(ORDERS, { name: 'Orders', sql: 'select 1', revision: 1, position: 1, sample: true })
    const page = open()
    const view = await editorView()
    typeText(view, 'select 12')
    typeText(view, 'select 123')
    await waitFor(() => expect(page.address()['tabName']).toBe('Orders (copy)'))
    typeText(view, 'select 1234')
    expect(view.state.doc.toString()).toBe('select 1234')
    await waitFor(() => expect(server.callsOf('editor.createTab')).toHaveLength(1))
    await waitFor(() => expect([...server.tabs.values()].at(-1)?.sql).toBe('select 1234'))
    expect(server.tabs.get(ORDERS)?.sql).toBe('select 1')
    expect(
      server.callsOf('editor.updateSql').every((call) => (call as { tabId: string }).tabId !== ORDERS),
    ).toBe(true)
  })
})

describe('what another window did', () => {
  const tell = (page: ReturnType<typeof open>, data: unknown) =>
    act(() =>
      page.sockets.latest().deliver({ cmd: 3, seq: 0, type: 'GlobalEventTypeEditorChanged', data } as never),
    )

  test('is followed: a new text where nothing was written, again and again', async () => {
    const page = open()
    const view = await editorView()
    for (const revision of [2, 3]) {
      server.tabs.set(ORDERS, { name: 'Orders', sql: `theirs ${revision}`, revision, position: 1 })
      tell(page, { tabId: ORDERS, revision })
      await waitFor(() => expect(view.state.doc.toString()).toBe(`theirs ${revision}`))
    }
  })

  test('shows in the row of tabs', async () => {
    const page = open()
    await editorView()
    server.tabs.set(PARTS, { name: 'Spare parts', sql: '', revision: 1, position: 2 })
    tell(page, null)
    await waitFor(() => expect(names()).toEqual(['Orders', 'Spare parts']))
  })

  test('a tab deleted there is left here, and another one opened', async () => {
    const page = open()
    await editorView()
    server.tabs.delete(ORDERS)
    tell(page, null)
    await waitFor(() => expect(page.address()['activeTab']).toBe(PARTS))
    expect(await screen.findByText(/no longer exists/)).toBeTruthy()
  })
})

describe('a new query', () => {
  const created = () => [...server.tabs.values()].find(({ name }) => name.startsWith('Untitled'))
  /** The service answers when the test says so. */
  const hold = () => {
    let release = (): void => undefined
    server.state.untilCreated = new Promise((resolve) => {
      release = resolve
    })
    return () => release()
  }
  const press = async (where: string) => {
    if (where === '+')
      return userEvent.click(screen.getAllByRole('button', { name: 'Create query' })[0] ?? strip())
    const panel = screen.getByRole('region', { name: 'Saved queries' })
    return userEvent.click(within(panel).getByRole('button', { name: 'Create query' }))
  }

  test.each(['+', 'Create query of the saved queries'])(
    'by %s has the keyboard, and all that was typed',
    async (where) => {
      const release = hold()
      open()
      const view = await editorView()
      await press(where)
      await userEvent.keyboard('select x{Backspace}1{Enter}')
      expect(view.state.doc.toString()).toBe('select 1')
      act(release)
      await waitFor(() => expect(document.activeElement).toBe(view.contentDOM))
      await waitFor(() => expect(view.state.doc.toString()).toBe('select 1\n'))
      expect(created()).toBeTruthy()
      expect(server.callsOf('editor.createTab')).toHaveLength(1)
      expect(view.state.selection.main.head).toBe(9)
    },
  )

  test('begins in the database in use', async () => {
    const page = open()
    const view = await editorView()
    fireEvent.keyDown(view.contentDOM, runKey)
    page.answer({ connId: 7, catalog: 'default_catalog', catalogChange: true, db: 'harbour', dbChange: true })
    await waitFor(() => expect(tab('Orders').title).toBe('Orders, in harbour'))
    await press('+')
    await waitFor(() =>
      expect(server.callsOf('editor.createTab')).toMatchObject([
        { catalog: 'default_catalog', database: 'harbour' },
      ]),
    )
  })

  test('that cannot be made keeps no key from anything else', async () => {
    server.state.refusesTabs = true
    open()
    const view = await editorView()
    await press('+')
    await waitFor(() => expect(server.callsOf('editor.createTab')).toHaveLength(1))
    const isTaken = () => {
      const key = new KeyboardEvent('keydown', { key: 'a', bubbles: true, cancelable: true })
      view.contentDOM.dispatchEvent(key)
      return key.defaultPrevented
    }
    await waitFor(() => expect(isTaken()).toBe(false))
  })

  test('is not given what is typed after somebody went elsewhere', async () => {
    const release = hold()
    open()
    const view = await editorView()
    await press('+')
    await userEvent.keyboard('lost')
    await userEvent.click(tab('Parts'))
    act(release)
    await waitFor(() => expect(created()).toBeTruthy())
    await waitFor(() => expect(view.state.doc.toString()).toBe(''))
  })
})
