import { join } from 'node:path'

/** Those of DuckDB's extensions that are used here, in the order in which they must be loaded. Nothing is ever fetched. */
export const EXTENSIONS = ['httpfs', 'avro', 'iceberg'] as const
export type Extension = (typeof EXTENSIONS)[number]

export const isExtension = (name: string): name is Extension =>
  (EXTENSIONS as readonly string[]).includes(name)

/** DuckDB finds the way into an extension by the name of its file. */
export const extensionFile = (folder: string, name: Extension): string =>
  join(folder, `${name}.duckdb_extension`)
