import { type HistoryEntry, query } from '@boathouse/contract/query'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { queryKeyOf, send } from '../../../lib/api.ts'
import { useSession } from '../../../lib/session.ts'
import { useSettled } from '../../../lib/settled.ts'

const PAGE = 50
/** Pages without a match are followed by the next automatically, up to this number. */
const MOST_IN_A_ROW = 20
const LONGEST_SEARCH = 256

interface Wanted {
  readonly isOpen: boolean
  /** As it is typed. */
  readonly search: string
  readonly matches: (entry: HistoryEntry) => boolean
}

/** What the user ran, newest first: searched by the service, page after page. Others' statements are in the activity. */
export function useOwnHistory({ isOpen, search, matches }: Wanted) {
  const user = useSession().user?.user
  const typed = search.trim().slice(0, LONGEST_SEARCH)
  const text = useSettled(typed)
  const pages = useInfiniteQuery({
    queryKey: [...queryKeyOf(query.history), 'editor', user, text],
    queryFn: ({ pageParam, signal }) =>
      send(
        query.history,
        {
          limit: PAGE,
          ...(user ? { user } : {}),
          ...(text ? { text } : {}),
          ...(pageParam ? { after: pageParam } : {}),
        },
        { signal, silent: true },
      ),
    initialPageParam: '',
    getNextPageParam: (last) => last.next,
    enabled: isOpen,
    staleTime: 0,
    placeholderData: (before) => before,
  })
  const { data, isPlaceholderData, hasNextPage, isFetching, isError, fetchNextPage } = pages
  const entries = data?.pages.flatMap((page) => page.entries) ?? []
  // What was found for the letters before is shown as long as it matches these, too.
  const isLooking = isPlaceholderData || text !== typed
  const isFound = ({ sql }: HistoryEntry): boolean => sql.toLowerCase().includes(typed.toLowerCase())
  const shown = entries.filter((entry) => (!isLooking || isFound(entry)) && matches(entry))
  const looked = data?.pages.length ?? 0
  const goesOn = shown.length === 0 && hasNextPage && !isLooking && !isError && looked % MOST_IN_A_ROW !== 0
  useEffect(() => {
    // A page may come and go between two looks: it is their number that tells.
    if (looked > 0 && goesOn && !isFetching) void fetchNextPage()
  }, [looked, goesOn, isFetching, fetchNextPage])
  return { pages, shown, isLooking: isLooking || goesOn }
}
