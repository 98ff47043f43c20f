import { type Catalog, type CommonSearch, type MaterializedView, objectOf } from '@boathouse/contract'
import type { UseEngine } from '../../../engines/engine/engine.ts'
import type { DatabasePlace, NamePage } from '../../../engines/engine/names.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { isFirst } from '../../../kernel/first-catalog.ts'
import type { Authority } from '../../access/authority.ts'
import { catalogMissing, FIRST_CATALOG } from '../catalogs/catalogs.ts'
import type { ExternalCatalogs } from '../catalogs/external-catalogs.ts'
import type { InternalCatalogs } from '../catalogs/internal-catalogs.ts'
import type { OpenedCatalogs } from '../catalogs/opened-catalogs.ts'
import { createLookingFor, type Looking, type LookFor } from '../objects/looking.ts'

export interface SchemaParts {
  readonly useServiceEngine: UseEngine
  /** The names that somebody may see. */
  readonly authority: Pick<Authority, 'visible' | 'may'>
  /** Beside the first. */
  readonly internal: Pick<InternalCatalogs, 'list'>
  readonly external: Pick<ExternalCatalogs, 'list'>
  readonly opened: Pick<OpenedCatalogs, 'list'>
  readonly materialized: {
    /** By `viewKey`: they are tables to an engine. */
    keysOf(accountId: string): Promise<ReadonlySet<string>>
    list(
      actor: Actor,
      place: DatabasePlace,
      search: CommonSearch,
    ): Promise<{ list: MaterializedView[]; total: number }>
  }
  readonly busyMs?: number
}

/** What all lists are made with. */
export interface Listing extends SchemaParts {
  readonly look: LookFor
}

export const createListing = (parts: SchemaParts): Listing => ({
  ...parts,
  look: createLookingFor({
    useServiceEngine: parts.useServiceEngine,
    authority: parts.authority,
    busyMs: parts.busyMs,
  }),
})

export interface Page {
  readonly names: string[]
  readonly total: number
}

export const pageOf = ({ orders: [order], offset, limit, search }: CommonSearch): Omit<NamePage, 'seen'> => ({
  descending: order?.desc ?? false,
  offset,
  limit,
  search,
})

export const noSuchDatabase = ({ catalog, database }: DatabasePlace) =>
  new AppError('NotFound', `There is no database ${database} in the catalog ${catalog}, or it was dropped.`)

/** A list without names may be that of a database that is not there. */
export async function requireDatabase({ lists }: Looking, place: DatabasePlace): Promise<void> {
  if ((await lists.databaseNamed(place)) === null) throw noSuchDatabase(place)
}

/** The true name of a catalog that the actor may use and the engine can read. */
export async function seenCatalog(
  { authority }: Pick<Listing, 'authority'>,
  actor: Actor,
  { looking, name }: { readonly looking: Looking; readonly name: string },
): Promise<string> {
  const catalog = looking.catalogNamed(name)
  if (isFirst(catalog)) return catalog
  if (!(await authority.may(actor, 'USAGE', objectOf('catalog', { catalog })))) throw catalogMissing(name)
  await looking.requireReadable(catalog)
  return catalog
}

/** All that the actor may see, the first one first. */
export const seenCatalogs = async (
  { internal, external, opened }: Pick<Listing, 'internal' | 'external' | 'opened'>,
  actor: Actor,
): Promise<Catalog[]> => [
  FIRST_CATALOG,
  ...(await internal.list(actor)),
  ...(await external.list(actor)),
  ...(await opened.list(actor)),
]
