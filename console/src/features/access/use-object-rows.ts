import type { CallError } from '@boathouse/client/call-error'
import { schema } from '@boathouse/contract/schema'
import { warehouse } from '@boathouse/contract/warehouse'
import { useQueries, type UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { callQuery, useCall } from '../../lib/api.ts'
import { type NamedType, type Names, objectRows, pathOfId } from './object-rows.ts'

const SILENT = { silent: true } as const

function namesOf<T>(
  result: UseQueryResult<T, CallError> | undefined,
  read: (data: T) => readonly string[],
): Names {
  if (result?.data !== undefined) return { state: 'known', names: read(result.data) }
  if (result?.error)
    return { state: 'failed', message: t('access.object.notListed', { message: result.error.message }) }
  return { state: 'loading' }
}

function allOf(type: NamedType, path: readonly string[]): string {
  const all = t(`access.object.all.${type}`)
  return path.length === 0
    ? t('access.object.ofAccount', { all })
    : t('access.object.in', { all, place: path.join('.') })
}

/** The tree of one type, and which of its rows are open; children are loaded when a row is opened. */
export function useObjectRows(type: NamedType) {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set())
  const isOfWarehouses = type === 'warehouse'
  const isOpen = (id: string) => open.has(id)
  const opened = [...open].map(pathOfId)
  const inCatalogs = opened.flatMap(([catalog, ...rest]) =>
    catalog && rest.length === 0 ? [{ catalog }] : [],
  )
  const inDatabases = opened.flatMap(([catalog, databaseName]) =>
    catalog && databaseName ? [{ catalog, databaseName }] : [],
  )
  const catalogs = useCall(schema.catalogs, {}, { ...SILENT, enabled: !isOfWarehouses })
  const warehouses = useCall(warehouse.list, {}, { ...SILENT, enabled: isOfWarehouses })
  const databases = useQueries({
    queries: inCatalogs.map((place) => callQuery(schema.databases, place, SILENT)),
  })
  const tables = useQueries({
    queries: inDatabases.map((place) =>
      callQuery(schema.tables, { ...place, namesOnly: true }, { ...SILENT, enabled: type === 'table' }),
    ),
  })
  const views = useQueries({
    queries: inDatabases.map((place) =>
      callQuery(schema.views, { ...place, namesOnly: true }, { ...SILENT, enabled: type === 'view' }),
    ),
  })
  const materialized = useQueries({
    queries: inDatabases.map((place) =>
      callQuery(schema.materializedViews, place, { ...SILENT, enabled: type === 'materialized_view' }),
    ),
  })

  const functions = useQueries({
    queries: inDatabases.map((place) =>
      callQuery(schema.functions, place, { ...SILENT, enabled: type === 'function' }),
    ),
  })

  function namesIn([catalog, database]: readonly string[]): Names {
    if (isOfWarehouses) return namesOf(warehouses, (data) => data.warehouses.map(({ name }) => name))
    if (catalog === undefined) return namesOf(catalogs, ({ list }) => list.map(({ name }) => name))
    if (database === undefined) {
      const at = inCatalogs.findIndex((place) => place.catalog === catalog)
      return namesOf(databases[at], ({ list }) => list.map(({ name }) => name))
    }
    const at = inDatabases.findIndex((place) => place.catalog === catalog && place.databaseName === database)
    if (type === 'table') return namesOf(tables[at], ({ names = [] }) => names)
    if (type === 'materialized_view')
      return namesOf(materialized[at], ({ list }) => list.map(({ mvName }) => mvName))
    return type === 'view'
      ? namesOf(views[at], ({ names = [] }) => names)
      : namesOf(functions[at], ({ list }) => list.map(({ name }) => name))
  }

  const rows = objectRows({
    type,
    isOpen,
    namesIn,
    words: {
      all: (path) => allOf(type, path),
      loading: t('access.object.loading'),
      none: t('access.object.none'),
    },
  })
  const toggle = (id: string) =>
    setOpen((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]))
  return { rows, toggle }
}
