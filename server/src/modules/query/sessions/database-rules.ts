import { DatabaseName, DEFAULT_CATALOG, DEFAULT_DATABASE, MESSAGES, foldedName } from '@boathouse/contract'
import type { Catalogs } from '../../../engines/engine/catalogs.ts'
import { AppError } from '../../../kernel/app-error.ts'

/** CATALOG-37: the service has databases and catalogs of these names: one beside them would be ambiguous. */
const RESERVED = new Set([DEFAULT_CATALOG, DEFAULT_DATABASE, 'information_schema', '_statistics_', 'sys'])

type TakenNames = Pick<Catalogs, 'permanent' | 'reserved'>

const isReserved = (name: string, { permanent, reserved }: TakenNames): boolean =>
  [RESERVED, permanent, reserved].some((names) => names.has(foldedName(name)))

/** The name of a new database, if it may be one. */
export function newDatabaseName(name: string, catalogs: TakenNames): string {
  if (isReserved(name, catalogs))
    throw new AppError(
      'QueryFailed',
      `The name ${name} is reserved for the service and its engines. Choose another.`,
    )
  const parsed = DatabaseName.safeParse(name)
  if (!parsed.success)
    throw new AppError('QueryFailed', parsed.error.issues[0]?.message ?? MESSAGES.correctValue)
  return parsed.data
}

/** Throws where databases of this catalog are created and dropped elsewhere. */
export function requireDatabasesHere({ whyNoDatabases }: Pick<Catalogs, 'whyNoDatabases'>, catalog: string) {
  const why = whyNoDatabases?.(catalog) ?? null
  if (why !== null) throw new AppError('Conflict', why)
}

export function requireOwn(database: string, { permanent }: Pick<Catalogs, 'permanent'>): void {
  if (permanent.has(foldedName(database)))
    throw new AppError(
      'QueryFailed',
      `The database ${database} is part of the catalog and cannot be dropped.`,
    )
}

/** Names the first few tables and views that a database holds. */
export function notEmpty(database: string, names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ')
  const held = names.length > 3 ? `${shown} and more` : shown
  return `The database ${database} is not empty: it holds ${held}. DROP DATABASE … CASCADE drops all of it.`
}
