import { type CallError, isCallError } from '@boathouse/client/call-error'
import { createCaller } from '@boathouse/client/caller'
import { systemClock } from '@boathouse/client/clock'
import type { Output } from '@boathouse/contract/call'
import { embed } from '@boathouse/contract/embed'
import { QueryClient, useQuery } from '@tanstack/react-query'
import type { Came } from './address.ts'

const WHILE_RUNNING_MS = 2_000
const OTHERWISE_MS = 60_000

/** As nobody: no sign-in of this browser is sent along. */
const call = createCaller({
  fetch: (url, init) => globalThis.fetch(url, { ...init, credentials: 'omit' }),
  clock: systemClock,
  token: () => null,
  host: () => window.location.origin,
})

/** Something may be different the next time. All else has been decided. */
const PASSING: ReadonlySet<string> = new Set([
  'NetworkError',
  'TimedOut',
  'Unavailable',
  'BadAnswer',
  'TooManyAttempts',
])

export const isPassing = (error: unknown): boolean => isCallError(error) && PASSING.has(error.codeName)

export const createEmbeddedQueries = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        refetchOnWindowFocus: false,
        retry: (failures, error) => failures < 2 && isPassing(error),
      },
    },
  })

/** Asked again and again, so that what was refreshed is shown, and what was revoked is not. */
export const useEmbedded = (came: Came) =>
  useQuery<Output<typeof embed.open>, CallError>({
    queryKey: ['open', came],
    queryFn: ({ signal }) => call(embed.open, came, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.results.some(({ isRunning }) => isRunning) ? WHILE_RUNNING_MS : OTHERWISE_MS,
  })

export const useEmbeddedRows = (came: Came, runId: string | null) =>
  useQuery<Output<typeof embed.rows>, CallError>({
    queryKey: ['rows', came, runId],
    queryFn: ({ signal }) => call(embed.rows, { ...came, runId: runId ?? '' }, { signal }),
    enabled: runId !== null,
    staleTime: Infinity,
    placeholderData: (before) => before,
  })
