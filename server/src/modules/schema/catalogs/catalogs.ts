import {
  type Catalog,
  CatalogName,
  DEFAULT_CATALOG,
  MESSAGES,
  objectOf,
  foldedName,
} from '@boathouse/contract'
import type { Engine } from '../../../engines/engine/engine.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { isFirst } from '../../../kernel/first-catalog.ts'
import type { Authority } from '../../access/authority.ts'

/** CATALOG-03 */
export const FIRST_CATALOG: Catalog = { name: DEFAULT_CATALOG, type: 'Internal' }

/** Names that mean something else in a statement. */
const RESERVED = new Set([
  DEFAULT_CATALOG,
  'system',
  'temp',
  'memory',
  'main',
  'sys',
  '_statistics_',
  'pg_catalog',
  'information_schema',
  // Engines keep what they answer for it under this name.
  'information_listed',
  'pg_temp',
])

export const isReservedCatalog = (name: string): boolean =>
  RESERVED.has(foldedName(name)) || foldedName(name).startsWith('boathouse_')

export const catalogTaken = (name: string): AppError =>
  new AppError('NameTaken', `The catalog ${name} already exists. Choose another name.`)

export const catalogMissing = (name: string): AppError =>
  new AppError('NotFound', `There is no catalog ${name} that you may see, or it was dropped.`)

/** Of one that people make. */
export function requireCatalogName(name: string): void {
  if (isReservedCatalog(name)) throw catalogTaken(name)
  const parsed = CatalogName.safeParse(name)
  if (!parsed.success)
    throw new AppError('BadInput', parsed.error.issues[0]?.message ?? MESSAGES.correctValue)
}

/** There is one that cannot be opened. Why is for those who may use it. */
class CatalogClosed extends AppError {
  constructor(
    readonly catalog: string,
    why: string,
  ) {
    super('QueryFailed', why)
  }
}

/** To somebody who may not use a catalog there is none. */
export async function toldTo(
  actor: Actor,
  error: unknown,
  { may }: Pick<Authority, 'may'>,
): Promise<unknown> {
  if (!(error instanceof CatalogClosed)) return error
  const { catalog } = error
  return (await may(actor, 'USAGE', objectOf('catalog', { catalog }))) ? error : catalogMissing(catalog)
}

/** Its true name in an engine that has it, whatever the letter case in which it is asked for. */
export function findCatalog({ attachments }: Pick<Engine, 'attachments'>, name: string): string {
  const found = isFirst(name) ? DEFAULT_CATALOG : attachments?.named(name)
  if (found) return found
  const why = attachments?.whyClosed(name)
  throw why ? new CatalogClosed(name, why) : catalogMissing(name)
}
