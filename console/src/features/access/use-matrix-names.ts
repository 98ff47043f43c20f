import type { MatrixType } from '@boathouse/contract/perms'
import { schema } from '@boathouse/contract/schema'
import { useCall } from '../../lib/api.ts'

const SILENT = { silent: true } as const

export function useCatalogs() {
  const { data, error } = useCall(schema.catalogs, {}, SILENT)
  return { data: data?.list.map(({ name }) => name), error }
}

export function useDatabases(catalog: string) {
  const { data, error } = useCall(schema.databases, { catalog }, { ...SILENT, enabled: catalog !== '' })
  return { data: data?.list.map(({ name }) => name), error }
}

interface Place {
  readonly type: MatrixType
  readonly catalog: string
  readonly database: string
}

/** All names of one type in a database. */
export function useObjectNames({ type, catalog, database }: Place) {
  const place = { catalog, databaseName: database }
  const of = (wanted: MatrixType) => ({ ...SILENT, enabled: database !== '' && type === wanted })
  const tables = useCall(schema.tables, { ...place, namesOnly: true }, of('table'))
  const views = useCall(schema.views, { ...place, namesOnly: true }, of('view'))
  const materialized = useCall(schema.materializedViews, place, of('materialized_view'))
  const functions = useCall(schema.functions, place, of('function'))
  const found = {
    table: { ...tables, names: tables.data?.names },
    view: { ...views, names: views.data?.names },
    materialized_view: { ...materialized, names: materialized.data?.list.map(({ mvName }) => mvName) },
    function: { ...functions, names: functions.data?.list.map(({ name }) => name) },
  }[type]
  return { names: found.names ?? [], isLoading: found.isLoading, error: found.error }
}
