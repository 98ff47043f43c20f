import { schema } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import type { Schemas } from './service.ts'

export const schemaCalls = (schemas: Schemas) =>
  implement(schema, {
    catalogs: ({ actor }, { commonSearchParam }) => schemas.catalogs(actor, commonSearchParam),
    databases: async ({ actor }, { catalog, commonSearchParam }) => {
      const { names, total } = await schemas.databases(actor, catalog, commonSearchParam)
      // A name is unique in its catalog and is never changed.
      return { list: names.map((name) => ({ name, databaseId: name })), total }
    },
    tables: async ({ actor }, { catalog, databaseName: database, commonSearchParam }) => {
      const { names, total } = await schemas.tables(actor, { catalog, database }, commonSearchParam)
      return { list: names.map((tableName) => ({ tableName, type: 'table' as const })), total }
    },
    views: async ({ actor }, { catalog, databaseName: database, commonSearchParam }) => {
      const { names, total } = await schemas.views(actor, { catalog, database }, commonSearchParam)
      return { list: names.map((name) => ({ name, type: 'view' as const })), total }
    },
  })
