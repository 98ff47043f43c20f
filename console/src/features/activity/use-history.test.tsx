import { QueryClientProvider } from '@tanstack/react-query'
import { renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test } from 'vitest'
import { createQueryClient } from '../../lib/api.ts'
import { session } from '../../lib/session.ts'
import { adaLovelace } from '../../testing/people.ts'
import { stubServer } from '../../testing/stub-server.ts'
import { useHistory } from './use-history.ts'

afterEach(() => session.end())

const PAGES = 5

test('pages without a match are followed by the next to the end, however soon they come', async () => {
  session.start({ token: 'token', info: adaLovelace() })
  const server = stubServer({
    'query.history': ({ after = '1' }) => ({
      entries: [],
      next: Number(after) < PAGES ? String(Number(after) + 1) : null,
      searchedTo: '2026-11-01T10:00:00.000Z',
    }),
  })
  const client = createQueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const { result } = renderHook(() => useHistory({ text: 'oars' }), { wrapper })
  await waitFor(() =>
    expect(result.current).toMatchObject({ hasMore: false, isSearching: false, entries: [] }),
  )
  await waitFor(() => expect(server.callsOf('query.history')).toHaveLength(PAGES))
})
