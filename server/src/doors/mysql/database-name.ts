import type { Move } from '../../modules/query/connections/client-connection.ts'

/** `catalog.database`, or `database` of the catalog that the connection is in. */
export function readDatabase(name: string): Pick<Move, 'catalog' | 'database'> {
  const dot = name.indexOf('.')
  return dot === -1 ? { database: name } : { catalog: name.slice(0, dot), database: name.slice(dot + 1) }
}
