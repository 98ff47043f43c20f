import type { Sent } from '@boathouse/contract/call'
import { LIMITS } from '@boathouse/contract/limits'
import type { MaterializedView } from '@boathouse/contract/materialized-views'
import { type Catalog, type Database, schema } from '@boathouse/contract/schema'
import { type ColumnDetail, namesOf } from '@boathouse/contract/schema-objects'
import { useQueries } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import { callQuery, useCall } from '../../../lib/api.ts'
import type { CallError } from '../../../lib/api.ts'
import { catalogId, databaseId, readObjectId } from '../tabs/place.ts'
import type { Branch } from './schema-notes.ts'
import type { SchemaTree } from './schema-rows.ts'
import { sameNames } from './same-names.ts'

export const BY_NAME = {
  commonSearchParam: {
    orders: [{ col: 'name' as const, desc: false }],
    offset: 0,
    limit: LIMITS.listedObjects,
  },
}
// A node that is opened again shows its last list, and loads it once more.
const OPTIONS = { silent: true, staleTime: 0 }

const OPTIONS_OF_NAMES = { ...OPTIONS, structuralSharing: sameNames }

/** What there may be a hundred thousand of is answered as names, and taken as it is. */
export const NAMES_ONLY = { ...BY_NAME, namesOnly: true }

type Listed<T> = UseQueryResult<{ list: T[]; total: number }, CallError>

const branchOf = <T>({ data, error, refetch }: Listed<T>): Branch<T> => ({
  list: data?.list,
  total: data?.total ?? 0,
  error,
  retry: refetch,
})

interface NamesAnswer {
  readonly names?: readonly string[] | undefined
  readonly total: number
}

const namedBranch = ({ data, error, refetch }: UseQueryResult<NamesAnswer, CallError>): Branch<string> => ({
  list: data && (data.names ?? []),
  total: data?.total ?? 0,
  error,
  retry: refetch,
})

// Stable functions: their results change only with an answer.
const databaseBranches = (results: Listed<Database>[]) => results.map(branchOf)
const nameBranches = (results: UseQueryResult<NamesAnswer, CallError>[]) => results.map(namedBranch)
const materializedBranches = (results: Listed<MaterializedView>[]) => results.map(branchOf)

const columnBranches = (
  results: UseQueryResult<{ columns: ColumnDetail[]; total: number }, CallError>[],
): Branch<ColumnDetail>[] =>
  results.map(({ data, error, refetch }) => ({
    list: data?.columns,
    total: data?.total ?? 0,
    error,
    retry: refetch,
  }))

const inputOf = ({ catalog, name, databaseId }: OpenDatabase) => ({
  ...BY_NAME,
  catalog,
  databaseName: name,
  databaseId,
})

interface OpenDatabase extends Database {
  readonly catalog: string
}

function openDatabases(
  catalogs: readonly Catalog[],
  databases: readonly Branch<Database>[],
  openRows: ReadonlySet<string>,
): OpenDatabase[] {
  return catalogs.flatMap(({ name: catalog }, at) =>
    (databases[at]?.list ?? [])
      .filter(({ name }) => openRows.has(databaseId({ catalog, database: name })))
      .map((database) => ({ ...database, catalog })),
  )
}

interface OpenObject {
  readonly id: string
  readonly asked: Sent<typeof schema.columns>
}

/** Tables and views that are open in databases that are. */
function openObjects(databases: readonly OpenDatabase[], openRows: ReadonlySet<string>): OpenObject[] {
  const isOpen = new Set(databases.map(({ catalog, name }) => databaseId({ catalog, database: name })))
  return [...openRows].flatMap((id) => {
    const object = readObjectId(id)
    if (!object || !isOpen.has(databaseId(object))) return []
    const { catalog, database, kind, name } = object
    return [{ id, asked: { catalog, databaseName: database, ...namesOf(kind, name) } }]
  })
}

/** Only the open part of the catalogs is loaded. */
export function useSchema(openRows: ReadonlySet<string>): SchemaTree {
  const { data, error, refetch } = useCall(schema.catalogs, BY_NAME, OPTIONS)
  const catalogs = useMemo(
    () => (data?.list ?? []).filter(({ name }) => openRows.has(catalogId(name))),
    [data, openRows],
  )
  const databases = useQueries({
    queries: catalogs.map(({ name }) => callQuery(schema.databases, { ...BY_NAME, catalog: name }, OPTIONS)),
    combine: databaseBranches,
  })
  const open = useMemo(() => openDatabases(catalogs, databases, openRows), [catalogs, databases, openRows])
  const tables = useQueries({
    queries: open.map((one) =>
      callQuery(schema.tables, { ...inputOf(one), ...NAMES_ONLY }, OPTIONS_OF_NAMES),
    ),
    combine: nameBranches,
  })
  const views = useQueries({
    queries: open.map((one) => callQuery(schema.views, { ...inputOf(one), ...NAMES_ONLY }, OPTIONS_OF_NAMES)),
    combine: nameBranches,
  })
  const materialized = useQueries({
    queries: open.map((one) => callQuery(schema.materializedViews, inputOf(one), OPTIONS)),
    combine: materializedBranches,
  })
  const objects = useMemo(() => openObjects(open, openRows), [open, openRows])
  const columns = useQueries({
    queries: objects.map(({ asked }) => callQuery(schema.columns, asked, OPTIONS)),
    combine: columnBranches,
  })
  return useMemo(
    () => ({
      catalogs: { list: data?.list, total: data?.total ?? 0, error, retry: refetch },
      databases: byId(catalogs, databases, ({ name }) => catalogId(name)),
      tables: byId(open, tables, ({ catalog, name }) => databaseId({ catalog, database: name })),
      views: byId(open, views, ({ catalog, name }) => databaseId({ catalog, database: name })),
      materialized: byId(open, materialized, ({ catalog, name }) => databaseId({ catalog, database: name })),
      columns: byId(objects, columns, ({ id }) => id),
    }),
    [data, error, refetch, catalogs, databases, open, tables, views, materialized, objects, columns],
  )
}

/** While a row is being opened or closed, the branches may still be those before. */
function byId<P, T>(
  parents: readonly P[],
  branches: readonly Branch<T>[],
  idOf: (parent: P) => string,
): Map<string, Branch<T>> {
  return new Map(
    parents.flatMap((parent, at) => {
      const branch = branches[at]
      return branch ? [[idOf(parent), branch] as const] : []
    }),
  )
}
