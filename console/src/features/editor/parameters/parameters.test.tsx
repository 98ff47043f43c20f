import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { editorServer, editorView, loadEditor } from '../testing/editor-desk.tsx'
import { ORDERS } from '../testing/tab-calls.ts'

let server: ReturnType<typeof editorServer>
beforeEach(() => {
  window.sessionStorage.clear()
  server = editorServer()
})

const open = (values = '') =>
  loadEditor({
    address: `/?activeTab=${ORDERS}&tabName=Orders${values && `&values=${encodeURIComponent(values)}`}`,
  })
const runKey = { key: 'Enter', code: 'Enter', keyCode: 13, ctrlKey: true } as const
test('a text without parameters has no fields, and one with them has one for each', async () => {
  server.tabs.set(ORDERS, { name: 'Orders', sql: 'select 1::int', revision: 1 })
  open()
  await editorView()
  expect(screen.queryByRole('region', { name: 'Parameters' })).toBeNull()
})

test('what is missing is not sent but asked for, and what is given is sent beside the text', async () => {
  server.tabs.set(ORDERS, { name: 'Orders', sql: 'select :region, {{amount}}', revision: 1 })
  const page = open()
  const view = await editorView()
  const region = await screen.findByLabelText(':region')
  fireEvent.keyDown(view.contentDOM, runKey)
  await waitFor(() => expect(document.activeElement).toBe(region))
  expect(screen.getByText('Enter a value to run this.')).toBeTruthy()
  expect(
    page.sockets
      .latest()
      .queries()
      .filter(({ sql }) => sql.includes(':region')),
  ).toEqual([])

  await userEvent.type(region, `O'Hara`)
  await userEvent.type(screen.getByLabelText(':amount'), '5')
  await waitFor(() =>
    expect(server.callsOf('editor.updateTabParameters').at(-1)).toMatchObject({
      tabId: ORDERS,
      parameters: [
        { name: 'amount', value: ['5'] },
        { name: 'region', value: [`O'Hara`] },
      ],
    }),
  )
  fireEvent.keyDown(view.contentDOM, runKey)
  await waitFor(() =>
    expect(
      page.sockets
        .latest()
        .queries()
        .find(({ sql }) => sql.includes(':region')),
    ).toMatchObject({
      sql: 'select :region, {{amount}}',
      values: {
        region: { type: 'text', value: `O'Hara` },
        amount: { type: 'text', value: '5' },
      },
    }),
  )
})

test('the address has the values, and a link gives them', async () => {
  server.tabs.set(ORDERS, { name: 'Orders', sql: 'select :region', revision: 1 })
  const page = open(JSON.stringify({ region: ['EU'], other: ['x'] }))
  const region = await screen.findByLabelText<HTMLInputElement>(':region')
  await waitFor(() => expect(region.value).toBe('EU'))
  await userEvent.type(region, '-2')
  await waitFor(() => expect(page.address()['values']).toBe('{"region":["EU-2"]}'))
})

test('a link that is cut off changes nothing', async () => {
  server.tabs.set(ORDERS, { name: 'Orders', sql: 'select :region', revision: 1 })
  open('{"region":["E')
  const region = await screen.findByLabelText<HTMLInputElement>(':region')
  expect(region.value).toBe('')
})
