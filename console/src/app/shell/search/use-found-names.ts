import { LIMITS } from '@boathouse/contract/limits'
import { schema } from '@boathouse/contract/schema'
import { useCall } from '../../../lib/api.ts'
import { useSettled } from '../../../lib/settled.ts'

/** Long enough to gather the letters of a word that is typed quickly. */
const SETTLED_MS = 120

/** Catalogs, databases, their objects and columns that this user can see; loaded when the user types. */
export function useFoundNames(text: string, { limit, isAsked }: { limit: number; isAsked: boolean }) {
  const wanted = text.trim().slice(0, LIMITS.identifierLength)
  const search = useSettled(wanted, SETTLED_MS)
  const { data, error, isFetching } = useCall(
    schema.search,
    { search, limit },
    {
      silent: true,
      staleTime: 0,
      enabled: isAsked && search !== '',
      placeholderData: (before) => before,
    },
  )
  const isLooking = isAsked && wanted !== '' && (isFetching || search !== wanted)
  return { found: data?.list ?? [], error, isLooking }
}
