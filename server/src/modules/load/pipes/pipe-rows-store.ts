import type { Kysely } from 'kysely'
import { catalogName } from '../../../store/catalog-ids.ts'
import type { Schema } from '../../../store/schema.ts'
import type { PipeRow } from './pipe-row.ts'

/** With the names of the catalogs in the place of their ids. */
export const pipesIn = (db: Kysely<Schema>) =>
  db
    .selectFrom('pipes')
    .selectAll('pipes')
    .select([
      catalogName('pipes').as('catalog'),
      catalogName('pipes', 'table_catalog_id').as('table_catalog'),
    ])

export const toPipe = (row: object): PipeRow => row as PipeRow
