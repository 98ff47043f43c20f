import { AppError } from '../../kernel/app-error.ts'
import type { Move } from '../../modules/query/connections/client-connection.ts'

/** `catalog.database`, or `database` of the catalog that the connection is in. */
export function readDatabase(name: string): Pick<Move, 'catalog' | 'database'> {
  // Nothing has such a name, and nobody can even quote it.
  if (name.includes('\0'))
    throw new AppError('QueryFailed', 'The name of a database has no NUL character.', {
      detail: 'missing-database',
    })
  const dot = name.indexOf('.')
  return dot === -1 ? { database: name } : { catalog: name.slice(0, dot), database: name.slice(dot + 1) }
}
