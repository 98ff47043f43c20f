import { schema } from '@boathouse/contract/schema'
import { useMemo } from 'react'
import { useCall } from '../../../lib/api.ts'
import { useSettled } from '../../../lib/settled.ts'
import { databaseId } from '../tabs/place.ts'
import type { FoundObject } from './schema-rows.ts'

const NOTHING: ReadonlyMap<string, readonly FoundObject[]> = new Map()
const MOST = 50

/** What has the text in its name in databases that are not open, by the id of the database. */
export function useFound(text: string): ReadonlyMap<string, readonly FoundObject[]> {
  const search = useSettled(text)
  const { data } = useCall(
    schema.search,
    { search, limit: MOST },
    { silent: true, enabled: search !== '', placeholderData: (before) => before },
  )
  return useMemo(() => {
    // Of an answer to fewer letters, what still fits.
    const last = text
      .toLowerCase()
      .split(/[\s.]+/)
      .findLast(Boolean)
    if (!data || last === undefined) return NOTHING
    const found = new Map<string, FoundObject[]>()
    for (const { type, name, catalog, database } of data.list) {
      const isObject = type === 'table' || type === 'view' || type === 'materialized_view'
      if (!isObject || database === undefined || !name.toLowerCase().includes(last)) continue
      const id = databaseId({ catalog, database })
      found.set(id, [...(found.get(id) ?? []), { kind: type, name }])
    }
    return found
  }, [data, text])
}
