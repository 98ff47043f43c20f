import { type AccessObject, objectOf } from '@boathouse/contract/privileges'
import type { Found } from '@boathouse/contract/schema-search'
import { schema } from '@boathouse/contract/schema'
import { warehouse } from '@boathouse/contract/warehouse'
import { useCall } from '../../lib/api.ts'
import { useSettled } from '../../lib/settled.ts'
import type { NamedType } from './object-rows.ts'

/** The service has no search by name for functions. */
export const isSearched = (type: NamedType): boolean => type !== 'function'

const textOf = ({ catalog, database, name }: AccessObject): string =>
  [catalog, database, name].filter(Boolean).join('.').toLowerCase()

function objectsOf(type: NamedType, found: readonly Found[]): AccessObject[] {
  return found
    .filter((one) => one.type === type)
    .map(({ name, catalog, database = '' }) => {
      if (type === 'catalog') return objectOf(type, { catalog })
      if (type === 'database') return objectOf(type, { catalog, database: name })
      return objectOf(type, { catalog, database, name })
    })
}

/** Objects of one type with every word of the text in their path: only what matches what is typed now. */
export function useFoundObjects(type: NamedType, text: string) {
  const wanted = text.trim()
  const search = useSettled(wanted)
  const isOfWarehouses = type === 'warehouse'
  const isAsked = wanted !== ''
  const names = useCall(
    schema.search,
    { search },
    {
      silent: true,
      enabled: isAsked && search !== '' && !isOfWarehouses,
      placeholderData: (before) => before,
    },
  )
  const warehouses = useCall(warehouse.list, {}, { silent: true, enabled: isAsked && isOfWarehouses })
  const all = isOfWarehouses
    ? (warehouses.data?.warehouses ?? []).map(({ name }) => objectOf('warehouse', { name }))
    : objectsOf(type, names.data?.list ?? [])
  const words = wanted
    .toLowerCase()
    .split(/[\s.]+/)
    .filter(Boolean)
  const isLooking = (isOfWarehouses ? warehouses : names).isFetching || search !== wanted
  return {
    found: all.filter((object) => words.every((word) => textOf(object).includes(word))),
    isLooking,
    error: (isOfWarehouses ? warehouses : names).error,
  }
}
