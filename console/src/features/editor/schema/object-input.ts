import { namesOf } from '@boathouse/contract/schema-objects'
import type { SchemaRow } from './schema-rows.ts'

/** A table or view of the tree, as calls are given it. */
export const objectInput = ({ kind, place, name }: Pick<SchemaRow, 'kind' | 'place' | 'name'>) => ({
  catalog: place.catalog,
  databaseName: place.database,
  ...namesOf(kind === 'view' || kind === 'materialized_view' ? kind : 'table', name),
})
