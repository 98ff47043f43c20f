import { editor } from '@boathouse/contract/editor'
import { perms } from '@boathouse/contract/perms'
import { warehouse } from '@boathouse/contract/warehouse'
import { useCall } from '../../../lib/api.ts'
import { useSettled } from '../../../lib/settled.ts'
import { useFoundNames } from '../search/use-found-names.ts'

const MOST_NAMES = 30
const MOST_PEOPLE = 10
const KEPT = { silent: true, staleTime: 60_000 } as const

/** Everything that has a page, as far as this user may see it. */
export function useObjects(text: string, mayListPeople: boolean) {
  const search = useSettled(text.trim()).slice(0, 64)
  const isAsked = text.trim() !== ''
  const { found, isLooking } = useFoundNames(text, { limit: MOST_NAMES, isAsked })
  const saved = useCall(editor.listTabTree, {}, { ...KEPT, enabled: isAsked })
  const warehouses = useCall(warehouse.list, {}, { ...KEPT, enabled: isAsked })
  const people = { ...KEPT, enabled: search !== '' && mayListPeople }
  const users = useCall(perms.listUsers, { search, pageSize: MOST_PEOPLE }, people)
  const roles = useCall(perms.listRoles, { search, pageSize: MOST_PEOPLE }, people)
  return {
    found,
    isLooking: isLooking || [saved, warehouses, users, roles].some(({ isFetching }) => isFetching),
    saved: saved.data,
    warehouses: warehouses.data?.warehouses ?? [],
    users: users.data?.list ?? [],
    roles: roles.data?.list ?? [],
  }
}
