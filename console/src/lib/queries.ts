import { type CallError, type FailureName, isCallError } from '@boathouse/client/call-error'
import type { Call, Output, Sent } from '@boathouse/contract/call'
import {
  QueryCache,
  QueryClient,
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query'
import { watchLogin } from './login-watch.ts'
import { recordChange } from './recent-changes.ts'
import { pageSend, type SendOptions } from './send.ts'
import { session } from './session.ts'

type Flags = Pick<SendOptions, 'silent' | 'ignoreConnectionLimit' | 'fillsPage'>
type QueryOptions<C extends Call> = Pick<
  UseQueryOptions<Output<C>, CallError>,
  | 'enabled'
  | 'staleTime'
  | 'refetchInterval'
  | 'refetchOnWindowFocus'
  | 'placeholderData'
  | 'structuralSharing'
  | 'throwOnError'
>
export type UseCallOptions<C extends Call> = Flags & QueryOptions<C>

/** Without an input: every cached answer of the call. */
export const queryKeyOf = <C extends Call>(call: C, input?: Sent<C>): readonly unknown[] =>
  input === undefined ? [call.path] : [call.path, input]

/** Whether a query fills the page that asks for it. */
export const fillsPage = (call: Call, meta: Readonly<Record<string, unknown>> | undefined): boolean =>
  call.render || (meta?.['flags'] as Flags | undefined)?.fillsPage === true

/** The query behind `useCall`, for those who need several at once. */
export function callQuery<C extends Call>(
  call: C,
  input: Sent<C>,
  { silent, ignoreConnectionLimit, fillsPage, ...query }: UseCallOptions<C> = {},
): UseQueryOptions<Output<C>, CallError> {
  const flags: Flags = { silent, ignoreConnectionLimit, fillsPage }
  return {
    ...query,
    queryKey: queryKeyOf(call, input),
    queryFn: ({ signal }) => pageSend.request(call, input, { signal }),
    meta: { input, flags },
  }
}

/** The answer of a call, cached under its path and input. */
export const useCall = <C extends Call>(
  call: C,
  input: Sent<C>,
  options: UseCallOptions<C> = {},
): UseQueryResult<Output<C>, CallError> => useQuery(callQuery(call, input, options))

interface ActionOptions extends Flags {
  readonly refreshes?: readonly Call[]
  /** Off for what the console does without being asked to. */
  readonly isOwnDoing?: boolean
}

/** A call that changes something; answers of `refreshes` are loaded again once it succeeded. */
export function useAction<C extends Call>(
  call: C,
  { refreshes = [], isOwnDoing = true, ...flags }: ActionOptions = {},
): UseMutationResult<Output<C>, CallError, Sent<C>> {
  const queries = useQueryClient()
  return useMutation<Output<C>, CallError, Sent<C>>({
    mutationFn: (input) => pageSend.send(call, input, flags),
    onSuccess: async (_, input) => {
      if (isOwnDoing) recordChange(call, input, queries)
      await refresh(queries, refreshes)
    },
  })
}

const refresh = (queries: QueryClient, calls: readonly Call[]) =>
  Promise.all(calls.map((one) => queries.invalidateQueries({ queryKey: queryKeyOf(one) })))

/**
 * The same call for several inputs, one after the other up to the first refusal; `onDone` hears of each. The next does
 * not wait until the page shows the one before: who leaves meanwhile would leave with half of what was asked.
 */
export function useActions<C extends Call>(call: C, { refreshes = [], ...flags }: ActionOptions = {}) {
  const queries = useQueryClient()
  return async (inputs: readonly Sent<C>[], onDone: (at: number) => void): Promise<void> => {
    try {
      for (const [at, input] of inputs.entries()) {
        await pageSend.send(call, input, flags)
        recordChange(call, input, queries)
        onDone(at)
      }
    } finally {
      await refresh(queries, refreshes)
    }
  }
}

const WORTH_RETRYING: ReadonlySet<FailureName> = new Set([
  'NetworkError',
  'Unavailable',
  'BadAnswer',
] as const)
const RETRIES = 2
/** What has a shorter time than this usually answers at once: the service is busy, and may be less so. */
const SHORT_MS = 10_000

const isWorthRetrying = (error: CallError): boolean =>
  WORTH_RETRYING.has(error.codeName) || (error.codeName === 'TimedOut' && error.call.timeoutMs < SHORT_MS)

export function createQueryClient({ retries = RETRIES }: { retries?: number } = {}): QueryClient {
  const queries = new QueryClient({
    // The user sees a failure only after the last try, once, however many components wait for the answer.
    queryCache: new QueryCache({
      onError(error, query) {
        if (isCallError(error))
          pageSend.settleFailure(error, query.meta?.['input'], query.meta?.['flags'] ?? {})
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        refetchOnWindowFocus: false,
        retry: (failures, error) => failures < retries && isCallError(error) && isWorthRetrying(error),
        retryDelay: (failures) => 400 * 2 ** failures,
      },
      mutations: { retry: false },
    },
  })
  watchLogin(session, ({ token, isSamePerson }) => {
    if (!isSamePerson) queries.clear()
    // What failed without a login is loaded again.
    else if (token !== null) void queries.invalidateQueries()
  })
  return queries
}
