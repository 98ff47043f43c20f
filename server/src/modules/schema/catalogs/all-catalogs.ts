import { type Catalog, DEFAULT_CATALOG, type NewCatalog } from '@boathouse/contract'
import { quoteIdentifier } from '@boathouse/sql'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { isFirst } from '../../../kernel/first-catalog.ts'
import { catalogTaken, FIRST_CATALOG } from './catalogs.ts'
import type { Who } from '../changes/apply-change.ts'
import type { ExternalCatalogs } from './external-catalogs.ts'
import type { NewName } from './catalog-renaming.ts'
import type { InternalCatalogs } from './internal-catalogs.ts'
import type { OpenedCatalogs } from './opened-catalogs.ts'
import type { NewInternalCatalog } from './internal-creation.ts'

/** The account's catalogs of every kind, as calls and statements ask for them. */
export function createAllCatalogs({
  internal,
  external,
  opened,
}: {
  internal: InternalCatalogs
  external: ExternalCatalogs
  opened: OpenedCatalogs
}) {
  async function requireFree({ actor }: Who, name: string): Promise<void> {
    if (internal.isLake(actor, name) || (await opened.isNamed(actor, name))) throw catalogTaken(name)
  }

  function requireNotLake({ actor }: Who, name: string): void {
    if (internal.isLake(actor, name))
      throw new AppError(
        'Conflict',
        `The catalog ${name} belongs to the clusters of this account and can be neither dropped nor renamed. Drop databases in it instead.`,
      )
  }

  return {
    list: async (actor: Actor): Promise<Catalog[]> => [
      FIRST_CATALOG,
      ...(await internal.list(actor)),
      ...(await external.list(actor)),
      ...(await opened.list(actor)),
    ],

    async create(who: Who, draft: NewInternalCatalog): Promise<void> {
      await requireFree(who, draft.name)
      await internal.create(who, draft)
    },

    async add(who: Who, draft: NewCatalog): ReturnType<ExternalCatalogs['add']> {
      await requireFree(who, draft.name)
      return external.add(who, draft)
    },

    /** CATALOG-09, CATALOG-13 */
    async drop(who: Who, name: string, cascade: boolean): Promise<void> {
      if (isFirst(name))
        throw new AppError(
          'Conflict',
          `${DEFAULT_CATALOG} holds the account’s own data and cannot be dropped. Drop databases in it instead.`,
        )
      requireNotLake(who, name)
      await opened.requireOther(who.actor, name)
      if (!(await internal.drop(who, name, cascade))) await external.drop(who, name)
    },

    async rename(who: Who, name: string, to: NewName): Promise<void> {
      if (isFirst(name))
        throw new AppError(
          'Conflict',
          `${DEFAULT_CATALOG} is the default catalog and cannot be renamed. Create another catalog instead.`,
        )
      requireNotLake(who, name)
      await opened.requireOther(who.actor, name)
      await requireFree(who, to.newName)
      if (await internal.rename(who, name, to)) return
      // Throws for one that nobody may see.
      await external.createStatement(who.actor, name)
      throw new AppError(
        'Conflict',
        `The catalog ${name} is external and cannot be renamed. Drop it and create it under another name.`,
      )
    },

    async createStatement(actor: Actor, name: string): Promise<string> {
      if (isFirst(name)) return `CREATE CATALOG ${quoteIdentifier(DEFAULT_CATALOG)}`
      if (internal.isLake(actor, name)) return `CREATE CATALOG ${quoteIdentifier(name)}`
      const own = (await internal.createStatement(actor, name)) ?? (await opened.createStatement(actor, name))
      return own ?? external.createStatement(actor, name)
    },
  }
}

export type AllCatalogs = ReturnType<typeof createAllCatalogs>
