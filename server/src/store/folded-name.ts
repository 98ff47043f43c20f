import { type RawBuilder, sql } from 'kysely'

/** A column as names are compared, the same as by `foldedName`: with this collation `lower` knows A to Z alone. */
export const foldedColumn = (column: string): RawBuilder<string> =>
  sql<string>`lower(${sql.ref(column)} collate "C")`
