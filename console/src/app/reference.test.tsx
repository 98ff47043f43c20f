import { openApiDocument } from '@boathouse/contract/openapi'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
// Loaded beforehand: the console loads them when they are needed, and the first time takes long.
import './pages/guide-route.tsx'
import '../features/guide/reference/reference-page.tsx'
import { refuse } from '../testing/stub-server.ts'
import { ADA, renderApp, signedIn } from './testing/render-app.tsx'

const DOCUMENT = vi.hoisted(() => ({ answer: (): Promise<unknown> => Promise.resolve({}) }))

vi.mock('../lib/raw-call.ts', async (original) => ({
  ...(await original<object>()),
  openApiDescription: () => DOCUMENT.answer(),
}))

const PLACE = '/local-1/ABC12345/guide/reference'

beforeEach(() => {
  DOCUMENT.answer = async () => JSON.parse(JSON.stringify(openApiDocument('1.0.0')))
})

function open(address: string, handlers: Parameters<typeof renderApp>[1] = {}) {
  signedIn(ADA)
  return renderApp(address, { 'user.info': () => ADA, ...handlers })
}

test('a description that cannot be loaded says so, and is loaded again', async () => {
  DOCUMENT.answer = () => Promise.reject(new Error('HTTP 503'))
  const { user } = open(PLACE)
  expect(await screen.findByText('The description of the API could not be loaded')).toBeTruthy()
  DOCUMENT.answer = async () => JSON.parse(JSON.stringify(openApiDocument('1.0.0')))
  await user.click(screen.getByRole('button', { name: /again|Retry/i }))
  expect(await screen.findByRole('heading', { name: 'API reference', level: 1 })).toBeTruthy()
})

test('a call is searched, reached with the keyboard and shown with fields, errors and examples', async () => {
  const { user } = open(PLACE)
  const search = await screen.findByRole('searchbox', { name: 'Search calls' })
  await user.type(search, 'rows of a kept result')
  await waitFor(() => expect(screen.getByText('5 calls')).toBeTruthy())
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}{Enter}')
  expect(await screen.findByRole('heading', { name: 'POST /api/query/result-window', level: 1 })).toBeTruthy()
  const fields = screen.getByRole('table', { name: 'Fields of the body' })
  expect(within(fields).getByText('queryId')).toBeTruthy()
  expect(within(screen.getByRole('table', { name: 'Errors' })).getByText('ResultExpired')).toBeTruthy()
  await user.click(screen.getByRole('radio', { name: 'TypeScript' }))
  expect(screen.getByText(/boathouse\.api\.query\.resultWindow/)).toBeTruthy()
  await user.click(screen.getByRole('link', { name: 'All calls' }))
  expect(await screen.findByRole('searchbox', { name: 'Search calls' })).toBeTruthy()
})

test('a call that looks runs at once and shows status, code and answer', async () => {
  const { user } = open(`${PLACE}#key/list`, { 'key.list': () => ({ keys: [] }) })
  await user.click(await screen.findByRole('button', { name: 'Run call' }))
  expect(await screen.findByText(/^HTTP 200, 20000, \d+ ms, /)).toBeTruthy()
  expect(screen.getByRole('region', { name: 'Answer' }).textContent).toContain('"code": 20000')
})

test('a call that changes something asks first, and a refusal is shown at its field', async () => {
  let made = 0
  const { user } = open(`${PLACE}#warehouse/suspend`, {
    'warehouse.suspend': () => {
      made++
      return refuse('BadInput', 'warehouseId: There is no such warehouse.')
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Run call' }))
  const dialog = await screen.findByRole('dialog', { name: 'Run /api/warehouse/suspend?' })
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  expect(made).toBe(0)
  await user.click(screen.getByRole('button', { name: 'Run call' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Run call' }))
  expect(await screen.findByText('Line 2, warehouseId: There is no such warehouse.')).toBeTruthy()
  expect(made).toBe(1)
})

test('a body that is no JSON is not sent, and one that does not fit says where', async () => {
  const { user } = open(`${PLACE}#query/history`)
  const body = await screen.findByRole('textbox', { name: 'Body' })
  await user.clear(body)
  await user.type(body, '{{')
  const run = screen.getByRole<HTMLButtonElement>('button', { name: 'Run call' })
  expect(run.disabled).toBe(true)
  await user.type(body, '"limit": 0}')
  expect(await screen.findByText('Line 1, limit: Enter 1 or more.')).toBeTruthy()
  expect(run.disabled).toBe(false)
  await user.click(screen.getByRole('button', { name: 'Reset body' }))
  expect(screen.queryByText(/Enter 1 or more/)).toBeNull()
})

test('a call that does not exist leads back to all calls', async () => {
  open(`${PLACE}#no/such`)
  expect(await screen.findByText('This server has no call no/such.')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'All calls' })).toBeTruthy()
})
