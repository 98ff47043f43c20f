import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import '../../i18n/load.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import type { Upload } from '@boathouse/contract/load'
import { expect, test } from 'vitest'
import { createQueryClient } from '../../lib/api.ts'
import { refuse, stubServer } from '../../testing/stub-server.ts'
import { FilePanel } from './file-panel.tsx'
import { useUpload } from './use-upload.ts'

const UPLOAD: Upload = {
  uploadId: '55555555-5555-4555-8555-555555555555',
  name: 'orders.csv',
  sizeBytes: 2_000_000,
  partBytes: 8 * 1024 * 1024,
  received: [],
  complete: false,
  expiresAt: '2026-01-02T00:00:00Z',
  inspection: null,
  fetching: { receivedBytes: 500_000, isSizeKnown: true },
}

function Panel() {
  const { uploading, start, fetch, cancel } = useUpload()
  return <FilePanel uploading={uploading} isBusy={false} onFiles={start} onFetch={fetch} onCancel={cancel} />
}

const show = () =>
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Panel />
    </QueryClientProvider>,
  )

async function fetchIt(address: string) {
  await userEvent.click(screen.getByRole('button', { name: 'Load from address' }))
  await userEvent.type(screen.getByRole('textbox', { name: 'Address of the file' }), `${address}{Enter}`)
}

test('a file from an address shows how far it is, and is there as one that was chosen', async () => {
  let looks = 0
  const server = stubServer({
    'task.fetchUpload': () => UPLOAD,
    'task.upload': () =>
      ++looks > 1 ? { ...UPLOAD, complete: true, received: [0], fetching: null } : UPLOAD,
  })
  show()
  await fetchIt(' https://example.com/orders.csv')
  expect(await screen.findByText('Fetching orders.csv')).toBeTruthy()
  expect(screen.getByRole('progressbar').getAttribute('value')).toBe('500000')
  expect(await screen.findByText(/^orders.csv, /)).toBeTruthy()
  expect(server.callsOf('task.fetchUpload')).toEqual([{ address: 'https://example.com/orders.csv' }])
})

test('a refusal is shown beside the address, which stays', async () => {
  const message = 'The file could not be fetched: it is in a private network.'
  stubServer({ 'task.fetchUpload': () => refuse('BadInput', message) })
  show()
  await fetchIt('https://10.0.0.1/a.csv')
  expect(await screen.findByText(message)).toBeTruthy()
  expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('https://10.0.0.1/a.csv')
})

test('a fetch that is cancelled is dropped, and one that the service lost says so', async () => {
  let fetching: Upload['fetching'] = UPLOAD.fetching
  const server = stubServer({
    'task.fetchUpload': () => ({ ...UPLOAD, fetching }),
    'task.upload': () => ({ ...UPLOAD, fetching }),
    'task.dropUpload': () => ({}),
  })
  show()
  await fetchIt('https://example.com/orders.csv')
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel upload' }))
  await waitFor(() => expect(server.callsOf('task.dropUpload')).toHaveLength(1))
  fetching = null
  await userEvent.click(screen.getByRole('button', { name: 'Fetch file' }))
  expect(await screen.findByText(/The service was restarted/)).toBeTruthy()
})
