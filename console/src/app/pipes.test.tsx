import type { Pipe, PipeFile } from '@boathouse/contract/pipe'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
// Loaded beforehand: the console loads them when they are needed, and the first time takes long.
import './pages/load-route.tsx'
import './pages/pipe-route.tsx'
import { refuse, type StubHandlers } from '../testing/stub-server.ts'
import { ADA, renderApp, signedIn } from './testing/render-app.tsx'

const DATABASE = '/local-1/ABC12345/catalog/catalog-default_catalog-type-Internal/database-main'

const PIPE: Pipe = {
  pipeId: '018f0000-0000-7000-8000-000000000001',
  name: 'orders_in',
  catalog: 'default_catalog',
  databaseName: 'main',
  tableName: 'orders',
  user: 'ada',
  path: 'folder://landing/orders/*.csv',
  format: 'csv',
  state: 'suspended',
  reason: 'There is no table main.orders.',
  lastError: '',
  actions: ['resume', 'retry', 'drop'],
  properties: { poll_interval: '10', on_error: 'continue', max_filter_ratio: '0' },
  statement: 'INSERT INTO orders SELECT * FROM FILES(…)',
  files: { waiting: 2, loading: 1, loaded: 7, failed: 1, skipped: 0 },
  rowsLoaded: 70,
  bytesLoaded: 1_000,
  lagSeconds: 65,
  lastLoadedAt: null,
  listedAt: null,
  createdAt: '2026-11-17T10:00:00.000Z',
}

const BAD: PipeFile = {
  fileId: '018f0000-0000-7000-8000-000000000002',
  path: 'folder://landing/orders/bad.csv',
  sizeBytes: 12,
  changedAt: '2026-11-17T10:00:00.000Z',
  state: 'failed',
  actions: ['retry', 'skip'],
  attempts: 1,
  error: 'Row 1 has no number.',
  rowsLoaded: null,
  rowsRejected: 0,
  queryId: null,
  seenAt: '2026-11-17T10:00:00.000Z',
  endedAt: null,
}

function open(page: string, over: StubHandlers = {}) {
  signedIn(ADA)
  return renderApp(`${DATABASE}/${page}`, {
    'user.info': () => ADA,
    'warehouse.list': () => ({ warehouses: [] }),
    'task.list': () => ({ list: [], total: 0 }),
    'task.listPipes': () => ({ list: [PIPE], total: 1 }),
    'task.findPipe': () => PIPE,
    'task.listPipeFiles': () => ({ list: [BAD], total: 1 }),
    ...over,
  })
}

test('the page of a pipe says why it is suspended, how far it is, and why a file failed', async () => {
  let resumed = 0
  const app = open('pipe/orders_in', {
    'task.resumePipe': () => {
      resumed++
      return { ...PIPE, state: 'running' as const }
    },
  })
  expect(await screen.findByText(/There is no table main\.orders\./)).toBeTruthy()
  expect(screen.getByRole('group', { name: 'Waiting' }).textContent).toContain('3')
  expect(screen.getByRole('group', { name: 'Lag' }).textContent).toContain('1 min 5 s')
  const files = await screen.findByRole('table', { name: 'Files' })
  expect(within(files).getByText('bad.csv')).toBeTruthy()
  expect(within(files).getByText('Row 1 has no number.')).toBeTruthy()
  await app.user.click(screen.getByRole('button', { name: 'Resume' }))
  await waitFor(() => expect(resumed).toBe(1))
})

test('a failed file is retried by its menu', async () => {
  const retried: string[] = []
  const app = open('pipe/orders_in', {
    'task.retryPipeFile': ({ fileId }) => {
      retried.push(fileId)
      return {}
    },
  })
  await app.user.click(await screen.findByRole('button', { name: 'Actions for file bad.csv' }))
  await app.user.click(await screen.findByRole('menuitem', { name: 'Retry file' }))
  await waitFor(() => expect(retried).toEqual([BAD.fileId]))
})

test('a pipe that somebody may not see is an error with a way to try again', async () => {
  open('pipe/other', {
    'task.findPipe': () => refuse('NotFound', 'There is no pipe other that you may see.'),
  })
  expect(await screen.findByText('This pipe could not be loaded')).toBeTruthy()
  expect(screen.getByText('There is no pipe other that you may see.')).toBeTruthy()
  expect(screen.getByRole('button', { name: /try again|retry/i })).toBeTruthy()
})

test('without a source that is open to the user, the form says so and makes nothing', async () => {
  const app = open('load', { 'task.pipeSources': () => ({ list: [] }) })
  const link = await screen.findByRole('link', { name: 'orders_in' })
  expect(link.getAttribute('href')).toBe(`${DATABASE}/pipe/orders_in`)
  await app.user.click(screen.getByRole('button', { name: 'Create pipe' }))
  const form = await screen.findByRole('dialog', { name: 'Create pipe' })
  expect(await within(form).findByText(/No folder or bucket is open to you/)).toBeTruthy()
  expect(within(form).getByRole<HTMLButtonElement>('button', { name: 'Create pipe' }).disabled).toBe(true)
})
