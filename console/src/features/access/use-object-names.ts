import type { AccessObject } from '@boathouse/contract/privileges'
import { schema } from '@boathouse/contract/schema'
import { warehouse } from '@boathouse/contract/warehouse'
import { useCall } from '../../lib/api.ts'

interface Names {
  readonly names: readonly string[]
  readonly failure: string | undefined
}

type Level = 'catalog' | 'database' | AccessObject['type']

const asked = (level: Level, wanted: Level) => ({ enabled: level === wanted, silent: true })

/** What there is to choose from at one level. Functions are not listed: they are granted all together. */
export function useObjectNames(object: AccessObject, part: 'catalog' | 'database' | 'name'): Names {
  const { type, catalog, database } = object
  const level: Level = part === 'name' ? type : part
  const inDatabase = { catalog, databaseName: database }
  const catalogs = useCall(schema.catalogs, {}, asked(level, 'catalog'))
  const databases = useCall(schema.databases, { catalog }, asked(level, 'database'))
  const tables = useCall(schema.tables, inDatabase, asked(level, 'table'))
  const views = useCall(schema.views, inDatabase, asked(level, 'view'))
  const warehouses = useCall(warehouse.list, {}, asked(level, 'warehouse'))
  // What is not asked for here may still be known from elsewhere.
  switch (level) {
    case 'catalog':
      return { names: catalogs.data?.list.map(({ name }) => name) ?? [], failure: catalogs.error?.message }
    case 'database':
      return { names: databases.data?.list.map(({ name }) => name) ?? [], failure: databases.error?.message }
    case 'table':
      return { names: tables.data?.list.map((one) => one.tableName) ?? [], failure: tables.error?.message }
    case 'view':
      return { names: views.data?.list.map(({ name }) => name) ?? [], failure: views.error?.message }
    case 'warehouse':
      return {
        names: warehouses.data?.warehouses.map(({ name }) => name) ?? [],
        failure: warehouses.error?.message,
      }
    case 'function':
    case 'system':
      return { names: [], failure: undefined }
  }
}
