import { audit } from '@boathouse/contract/audit'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { queryKeyOf, send } from '../../../lib/api.ts'
import { filterOf, type SignInSearch } from './sign-in-search.ts'

const PAGE = 50

/** Page after page behind one another, newest first. */
export function useSignIns(search: SignInSearch) {
  const { data, error, isPending, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } =
    useInfiniteQuery({
      queryKey: [...queryKeyOf(audit.signIns), search],
      queryFn: ({ pageParam, signal }) =>
        send(
          audit.signIns,
          { ...filterOf(search), limit: PAGE, ...(pageParam ? { after: pageParam } : {}) },
          { signal, silent: true },
        ),
      initialPageParam: '',
      getNextPageParam: ({ next }) => next ?? undefined,
      placeholderData: keepPreviousData,
    })
  return {
    signIns: (data?.pages ?? []).flatMap(({ signIns }) => signIns),
    isLoading: isPending && !error,
    isFetchingMore: isFetchingNextPage,
    hasMore: hasNextPage,
    error,
    showMore: () => void fetchNextPage(),
    retry: () => void refetch(),
  }
}

export type SignInList = ReturnType<typeof useSignIns>
