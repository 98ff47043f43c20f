import type { QueryRsp } from '@boathouse/contract/realtime'
import { permissionsOf } from '@boathouse/contract/roles'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { session } from '../../../lib/session.ts'
import { adaLovelace } from '../../../testing/people.ts'
import { editorServer, editorView, loadEditor } from '../testing/editor-desk.tsx'
import { ORDERS } from '../testing/tab-calls.ts'

let server: ReturnType<typeof editorServer>
beforeEach(() => {
  window.sessionStorage.clear()
  server = editorServer()
})
afterEach(() => session.end())

async function run() {
  const page = loadEditor({ address: `/?activeTab=${ORDERS}&tabName=Orders` })
  const view = await editorView()
  const key = { key: 'Enter', code: 'Enter', keyCode: 13, ctrlKey: true }
  fireEvent.keyDown(view.contentDOM, key)
  return page
}

const NONE_RUNNING: Partial<QueryRsp> = {
  queryState: 3,
  errCode: 42201,
  errMsg: 'No warehouse is running.',
  fields: [],
  result: [],
}

describe('a query that waits for its warehouse', () => {
  test.each([
    [1, '1st'],
    [2, '2nd'],
    [3, '3rd'],
    [11, '11th'],
    [1_021, '1,021st'],
  ])('at place %d says %s in the queue', async (queuePlace, shown) => {
    const page = await run()
    page.answer({ queryState: 1, queuePlace, fields: [], result: [] })
    expect(screen.getByText(`${shown} in the queue for default_warehouse`)).toBeTruthy()
    expect(screen.getByText('Queued')).toBeTruthy()
    page.answer({ queryState: 1, fields: [], result: [] })
    expect(screen.queryByText(/in the queue/i)).toBeNull()
    page.leave()
  })
})

describe('without a running warehouse', () => {
  test('a user with the privilege resumes it in place and runs the same again [EDITOR-27]', async () => {
    session.start({ token: 'token', info: adaLovelace() })
    server.state.warehouse = 'Suspended'
    const page = await run()
    page.answer(NONE_RUNNING)
    await userEvent.click(await screen.findByRole('button', { name: 'Resume default_warehouse' }))
    const again = await screen.findByRole('button', { name: 'Run again' })
    expect(server.callsOf('warehouse.resume')).toEqual([{ warehouseId: ORDERS }])
    expect(document.activeElement).toBe(again)
    expect(screen.getByText('default_warehouse is running.')).toBeTruthy()
    await userEvent.click(again)
    expect(page.sockets.latest().queries()).toHaveLength(2)
    expect(page.query().sql).toBe('select 1')
  })

  test('a resume that fails says why in place and can be tried again', async () => {
    session.start({ token: 'token', info: adaLovelace() })
    server.state.warehouse = 'Suspended'
    server.state.refusesResume = true
    const page = await run()
    page.answer(NONE_RUNNING)
    await userEvent.click(await screen.findByRole('button', { name: 'Resume default_warehouse' }))
    expect(await screen.findByText('It is being resized.')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Resume default_warehouse' })).toBeTruthy()
    page.leave()
  })

  test('a user without the privilege sees whom to ask', async () => {
    session.start({ token: 'token', info: adaLovelace({ perms: permissionsOf(['public']) }) })
    server.state.warehouse = 'Suspended'
    const page = await run()
    page.answer(NONE_RUNNING)
    expect(await screen.findByText(/You cannot resume default_warehouse/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: /Resume/ })).toBeNull()
  })
})

test('the warehouse’s state follows the events of the channel', async () => {
  const page = await run()
  page.answer()
  await waitFor(() => expect(screen.getByRole('toolbar').textContent).toContain('Running'))
  server.state.warehouse = 'Suspended'
  const changed = { cmd: 3, seq: 1, type: 'GlobalEventTypeWarehouseChanged', data: null } as const
  act(() => page.sockets.latest().deliver(changed))
  await waitFor(() => expect(screen.getByRole('toolbar').textContent).toContain('Suspended'))
})

test('a notice of the service is shown above the result', async () => {
  const page = await run()
  const notice = 'The engine was started again: temporary tables of this tab are gone.'
  page.answer({ notice })
  expect(screen.getByText(notice)).toBeTruthy()
  expect(screen.getByText('1 row')).toBeTruthy()
})
