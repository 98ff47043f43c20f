import { type HistoryEntry, query } from '@boathouse/contract/query'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { queryKeyOf, send } from '../../lib/api.ts'
import { askAgainMs } from '../../statement/cost-text.ts'
import { type ActivitySearch, filterOf } from './activity-search.ts'

const PAGE = 50
/** Pages without a match are followed by the next automatically, up to this number. */
const MOST_IN_A_ROW = 20

export interface ShownHistory {
  readonly entries: readonly HistoryEntry[]
  readonly isLoading: boolean
  readonly isSearching: boolean
  readonly hasMore: boolean
  /** Back to when was looked, while there is more to look through and nothing more was found. */
  readonly searchedTo: string | null
  readonly error: Error | null
  /** When it was last loaded, in milliseconds since 1970. */
  readonly at: number
  readonly showMore: () => void
  readonly retry: () => void
}

/** Page after page behind one another, newest first. */
export function useHistory(search: ActivitySearch): ShownHistory {
  const { data, dataUpdatedAt, error, isPending, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } =
    useInfiniteQuery({
      queryKey: [...queryKeyOf(query.history), search],
      queryFn: ({ pageParam, signal }) =>
        send(
          query.history,
          {
            ...filterOf(search, Date.now()),
            endedOnly: true,
            limit: PAGE,
            ...(pageParam ? { after: pageParam } : {}),
          },
          { signal, silent: true },
        ),
      initialPageParam: '',
      getNextPageParam: ({ next }) => next ?? undefined,
      refetchInterval: ({ state }) => askAgainMs(state.data?.pages.flatMap(({ entries }) => entries) ?? []),
    })
  const pages = data?.pages ?? []
  const last = pages.at(-1)
  const inVain = pages.length - 1 - pages.findLastIndex(({ entries }) => entries.length > 0)
  const goesOn =
    last !== undefined && last.entries.length === 0 && hasNextPage && inVain % MOST_IN_A_ROW !== 0 && !error
  const looked = pages.length
  useEffect(() => {
    // A page may come and go between two looks: it is their number that tells.
    if (looked > 0 && goesOn && !isFetchingNextPage) void fetchNextPage()
  }, [looked, goesOn, isFetchingNextPage, fetchNextPage])
  return {
    entries: pages.flatMap(({ entries }) => entries),
    isLoading: isPending && !error,
    isSearching: isFetchingNextPage || goesOn,
    hasMore: hasNextPage,
    searchedTo: last?.searchedTo ?? null,
    error,
    at: dataUpdatedAt,
    showMore: () => void fetchNextPage(),
    retry: () => void refetch(),
  }
}
