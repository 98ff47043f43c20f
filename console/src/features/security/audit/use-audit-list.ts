import { audit } from '@boathouse/contract/audit'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { queryKeyOf, send } from '../../../lib/api.ts'
import { type AuditSearch, filterOf } from './audit-search.ts'

const PAGE = 50

/** Page after page behind one another, newest first. */
export function useAuditList(search: AuditSearch) {
  const { data, error, isPending, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } =
    useInfiniteQuery({
      queryKey: [...queryKeyOf(audit.list), search],
      queryFn: ({ pageParam, signal }) =>
        send(
          audit.list,
          { ...filterOf(search), limit: PAGE, ...(pageParam ? { after: pageParam } : {}) },
          { signal, silent: true },
        ),
      initialPageParam: '',
      getNextPageParam: ({ next }) => next ?? undefined,
      placeholderData: keepPreviousData,
    })
  const pages = data?.pages ?? []
  return {
    entries: pages.flatMap(({ entries }) => entries),
    isLoading: isPending && !error,
    isSearching: isFetchingNextPage,
    hasMore: hasNextPage,
    /** Back to when was looked, while there is more to look through. */
    searchedTo: pages.at(-1)?.searchedTo ?? null,
    error,
    showMore: () => void fetchNextPage(),
    retry: () => void refetch(),
  }
}

export type AuditList = ReturnType<typeof useAuditList>
