import { editor } from '@boathouse/contract/editor'
import { perms } from '@boathouse/contract/perms'
import { schema } from '@boathouse/contract/schema'
import { warehouse } from '@boathouse/contract/warehouse'
import { useQueries } from '@tanstack/react-query'
import { callQuery, useCall } from '../../../lib/api.ts'
import { useSettled } from '../../../lib/settled.ts'

/** Looked through for tables and views; the page of a catalog has the others. */
const MOST_DATABASES = 20
const MOST_NAMES = 2_000
const MOST_PEOPLE = 10
const KEPT = { silent: true, staleTime: 60_000 } as const

export interface FoundObject {
  readonly kind: 'catalog' | 'database' | 'table' | 'view'
  readonly catalog: string
  readonly catalogType: string
  readonly database: string
  readonly name: string
}

/** Catalogs, databases, tables and views that this user may see; asked for once somebody types. */
function useData(isAsked: boolean) {
  const catalogs = useCall(schema.catalogs, {}, { ...KEPT, enabled: isAsked })
  const all = catalogs.data?.list ?? []
  const inCatalogs = useQueries({
    queries: all.map(({ name }) =>
      callQuery(schema.databases, { catalog: name }, { ...KEPT, enabled: isAsked }),
    ),
  })
  const databases = all
    .flatMap(({ name: catalog, type: catalogType }, index) =>
      (inCatalogs[index]?.data?.list ?? []).map(({ name: database }) => ({ catalog, catalogType, database })),
    )
    .slice(0, MOST_DATABASES)
  const page = { commonSearchParam: { limit: MOST_NAMES } }
  const inDatabase = ({ catalog, database }: { catalog: string; database: string }) => ({
    ...page,
    catalog,
    databaseName: database,
  })
  const tables = useQueries({
    queries: databases.map((one) => callQuery(schema.tables, inDatabase(one), { ...KEPT, enabled: isAsked })),
  })
  const views = useQueries({
    queries: databases.map((one) => callQuery(schema.views, inDatabase(one), { ...KEPT, enabled: isAsked })),
  })
  const found: FoundObject[] = [
    ...all.map(({ name, type }): FoundObject => ({
      kind: 'catalog',
      catalog: name,
      catalogType: type,
      database: '',
      name,
    })),
    ...databases.map((one): FoundObject => ({ kind: 'database', ...one, name: one.database })),
    ...databases.flatMap((one, index) => [
      ...(tables[index]?.data?.list ?? []).map(({ tableName }): FoundObject => ({
        kind: 'table',
        ...one,
        name: tableName,
      })),
      ...(views[index]?.data?.list ?? []).map(({ name }): FoundObject => ({ kind: 'view', ...one, name })),
    ]),
  ]
  const isLooking = [catalogs, ...inCatalogs, ...tables, ...views].some(({ isFetching }) => isFetching)
  return { found, isLooking }
}

/** Everything that has a page, as far as this user may see it. */
export function useObjects(text: string, mayListPeople: boolean) {
  const search = useSettled(text.trim()).slice(0, 64)
  const isAsked = text.trim() !== ''
  const { found, isLooking } = useData(isAsked)
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
