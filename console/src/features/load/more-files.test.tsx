import '../../i18n/load.ts'
import type { Input } from '@boathouse/contract'
import type { Inspection, load, LoadTask, Upload } from '@boathouse/contract/load'
import type { schema } from '@boathouse/contract/schema'
import type { Output } from '@boathouse/contract/call'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../lib/api.ts'
import { session } from '../../lib/session.ts'
import { adaLovelace } from '../../testing/people.ts'
import { refuse, type StubHandlers, stubServer } from '../../testing/stub-server.ts'
import { type FirstLoad, readingLikeFirst } from './more-file.ts'
import { MoreFiles } from './more-files.tsx'

afterEach(() => session.end())

const WAREHOUSE = '3f0c7a1e-9d0a-4a51-8a4e-0b8f4f1f0001'
const READING = {
  format: 'csv',
  encoding: 'utf-8',
  delimiter: ',',
  header: true,
  sheet: null,
  written: null,
} as const

const inspectionOf = (...names: string[]): Inspection => ({
  state: 'finished',
  reading: READING,
  error: '',
  columns: names.map((name) => ({ name, type: 'BIGINT', values: 2 })),
  rows: [],
  sheets: [],
  sampledBytes: null,
  detected: { date: null, timestamp: null },
  spoiled: [],
  decimalCommas: [],
  broken: { count: 0, rows: [] },
})

const FIRST: FirstLoad = {
  fileName: 'january.csv',
  reading: READING,
  order: {
    uploadId: crypto.randomUUID(),
    warehouseId: WAREHOUSE,
    catalog: 'default_catalog',
    databaseName: 'main',
    tableName: 'sales',
    makesTable: false,
    writes: 'replace',
    keys: [],
    columns: [
      { name: 'id', type: 'BIGINT', into: 'Number', misfits: 'null' },
      { name: 'paid', type: 'BIGINT', into: null, misfits: 'reject' },
    ],
    mostRejected: 3,
    widens: true,
  },
}

const taskOf = (
  { taskId, tableName }: Input<typeof load.create>,
  part: Partial<LoadTask> = {},
): LoadTask => ({
  taskId,
  state: 'finished',
  actions: [],
  user: 'ada',
  fileName: 'more.csv',
  sizeBytes: 4,
  catalog: 'default_catalog',
  databaseName: 'main',
  tableName,
  makesTable: false,
  writes: 'append',
  keys: [],
  warehouse: 'default_warehouse',
  queryId: null,
  progress: null,
  receivedBytes: null,
  rowsLoaded: 2,
  rowsRejected: 0,
  widened: [],
  nulled: [],
  error: '',
  createdAt: '2026-11-19T10:00:00.000Z',
  endedAt: null,
  ...part,
})

/** Of the table, in which the first file's numbers were widened. */
const TABLE: Output<typeof schema.columns> = {
  tableName: 'sales',
  type: 'table',
  columns: [
    {
      name: 'number',
      type: 'DOUBLE',
      nullable: true,
      primaryKey: false,
      default: null,
      length: null,
      precision: null,
      scale: null,
      comment: '',
    },
  ],
  total: 1,
}

/** A service that has what is uploaded at once, in files of these columns. */
function served(columnsOf: (name: string) => string[], handlers: StubHandlers = {}) {
  session.start({ token: 'token', info: adaLovelace() })
  const uploads = new Map<string, Upload>()
  const upload = (uploadId: string, inspection: Inspection | null): Upload => {
    const known = uploads.get(uploadId)
    if (!known) throw new Error(`Nobody has uploaded ${uploadId}.`)
    return { ...known, inspection }
  }
  return stubServer({
    'task.beginUpload': ({ name, sizeBytes }) => {
      const uploadId = crypto.randomUUID()
      const begun = { uploadId, name, sizeBytes, partBytes: 1000, received: [0], complete: true }
      uploads.set(uploadId, {
        ...begun,
        expiresAt: '2026-11-20T10:00:00.000Z',
        inspection: null,
        fetching: null,
      })
      return { ...upload(uploadId, null), url: `/upload/${uploadId}` }
    },
    'task.upload': ({ uploadId }) => upload(uploadId, null),
    'task.inspect': ({ uploadId }) =>
      upload(uploadId, inspectionOf(...columnsOf(uploads.get(uploadId)?.name ?? ''))),
    'schema.columns': () => TABLE,
    'task.create': (input) => taskOf(input),
    ...handlers,
  })
}

const fileOf = (name: string): File => new File(['1,2\n'], name, { lastModified: 5 })
const NAMES = ['february.csv', 'march.csv']

function shown(first: FirstLoad | null) {
  const onBusy = vi.fn<(isBusy: boolean) => void>()
  const files = NAMES.map(fileOf)
  const page = (of: FirstLoad | null) => (
    <QueryClientProvider client={createQueryClient()}>
      <MoreFiles files={files} firstName="january.csv" first={of} onBusy={onBusy} />
    </QueryClientProvider>
  )
  const { rerender } = render(page(first))
  return { onBusy, firstIsLoaded: () => rerender(page(FIRST)) }
}

const creations = (server: ReturnType<typeof stubServer>) =>
  server.callsOf('task.create') as Input<typeof load.create>[]

test('other files wait for the first, and are then loaded as that one, without replacing what it loaded', async () => {
  const server = served(() => ['paid', 'id'])
  const { onBusy, firstIsLoaded } = shown(null)
  expect(screen.getAllByText('Waiting')).toHaveLength(2)
  expect(server.calls).toHaveLength(0)
  firstIsLoaded()
  await waitFor(() => expect(screen.getAllByText('2 rows loaded')).toHaveLength(2))
  expect(creations(server)).toMatchObject(
    NAMES.map(() => ({
      makesTable: false,
      writes: 'append',
      mostRejected: 3,
      columns: [
        { name: 'paid', into: null },
        { name: 'id', type: 'DOUBLE', into: 'Number', misfits: 'null' },
      ],
    })),
  )
  expect(onBusy).toHaveBeenCalledWith(true)
  expect(onBusy).toHaveBeenLastCalledWith(false)
})

test('a file with other columns is not loaded, and says which; the next one is', async () => {
  const server = served((name) => (name === 'february.csv' ? ['id', 'price'] : ['id', 'paid']))
  shown(FIRST)
  expect(await screen.findByText('2 rows loaded')).toBeTruthy()
  const said =
    'Its columns are not those of january.csv. Missing: paid. Additional: price. Load this file on its own.'
  expect(screen.getByText(said)).toBeTruthy()
  expect(creations(server)).toHaveLength(1)
})

test('an attempt whose end is not known is repeated with its id, and one that failed with another', async () => {
  let attempt = 0
  const server = served(() => ['id', 'paid'], {
    'task.create': (input) => {
      attempt++
      if (attempt === 1) return refuse('Unavailable', 'The service did not answer.')
      return attempt === 3 ? taskOf(input, { state: 'failed', error: 'The disk is full.' }) : taskOf(input)
    },
  })
  const user = userEvent.setup()
  shown(FIRST)
  expect(await screen.findByText('The service did not answer.')).toBeTruthy()
  expect(await screen.findByText('2 rows loaded')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('The disk is full.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(screen.getAllByText('2 rows loaded')).toHaveLength(2))
  const [one, , again, last] = creations(server).map(({ taskId }) => taskId)
  expect(again).toBe(one)
  expect(last).not.toBe(one)
})

test('dates that were detected in the first file are read so in the others, and what was chosen stays', () => {
  const found = { ...inspectionOf('day'), detected: { date: '%d/%m/%Y', timestamp: null } }
  const plain = { date: null, timestamp: null, decimal: '.', thousands: null } as const
  expect(readingLikeFirst(READING, found).written).toEqual({ ...plain, date: '%d/%m/%Y' })
  expect(readingLikeFirst(READING, inspectionOf('day')).written).toBeNull()
  const chosen = { ...plain, date: '%m/%d/%Y', decimal: ',' } as const
  expect(readingLikeFirst({ ...READING, written: chosen }, found).written).toEqual(chosen)
})
