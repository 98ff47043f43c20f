import { type Catalog, isSameName, objectOf } from '@boathouse/contract'
import { quoteIdentifier, quoteString } from '@boathouse/sql'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { userAuthor } from '../../audit/author.ts'
import { recordAudit } from '../../audit/record.ts'
import type { Who } from '../changes/apply-change.ts'
import { createLooking, type Look } from '../objects/looking.ts'
import { announceChange, maySee } from './catalog-news.ts'
import { createCatalogRenaming, type NewName } from './catalog-renaming.ts'
import { catalogMissing } from './catalogs.ts'
import { createCatalog, type NewInternalCatalog } from './internal-creation.ts'
import { forgetCatalog, type InternalParts } from './internal-parts.ts'
import type { InternalCatalogRow } from './internal-store.ts'

const HELD_NAMED = 3
const LAKE_DESCRIPTION = 'Iceberg tables of warehouses that are clusters'

function notEmpty(name: string, held: readonly string[]): AppError {
  const shown = held.slice(0, HELD_NAMED).join(', ')
  const more = held.length > HELD_NAMED ? ' and more' : ''
  return new AppError(
    'Conflict',
    `The catalog ${name} is not empty: it holds ${shown}${more}. DROP CATALOG … CASCADE drops all of it.`,
  )
}

const notKnown = (name: string) =>
  new AppError(
    'Conflict',
    `The catalog ${name} cannot be opened, so its content is unknown. DROP CATALOG … CASCADE drops it anyway.`,
  )

async function requireEmpty(look: Look, actor: Actor, catalog: string): Promise<void> {
  await look(actor, async ({ lists, hasCatalog }) => {
    if (!hasCatalog(catalog)) throw notKnown(catalog)
    const held = await lists.allTables(catalog, HELD_NAMED + 1)
    if (held.length > 0)
      throw notEmpty(
        catalog,
        held.map(({ database, name }) => `${database}.${name}`),
      )
  })
}

/** Its data goes with it. */
async function dropRow(parts: InternalParts, who: Who, row: InternalCatalogRow): Promise<void> {
  const { store, transaction, useServiceEngine, clock, log } = parts
  const { account_id: accountId, catalog_id: id, name } = row
  await transaction(async (trx) => {
    await forgetCatalog(parts, trx, { accountId, object: objectOf('catalog', { catalog: name }) })
    if (!(await store.remove(trx, id))) throw catalogMissing(name)
    await recordAudit(trx, {
      accountId,
      at: clock.now(),
      by: userAuthor(who),
      action: 'catalog.drop',
      object: { type: 'catalog', id, name },
      before: { name, type: 'internal' },
      after: null,
    })
  })
  // It is dropped: an engine that does not follow now sets its file aside when it starts again.
  await useServiceEngine(accountId, async ({ attachments }) => attachments?.remove({ id, name })).catch(
    (error: unknown) => log.warn({ err: error, accountId }, 'the file of a catalog was not removed'),
  )
}

/** Catalogs of the account's own data beside the first one. */
export function createInternalCatalogs(parts: InternalParts) {
  const { store, lake, useServiceEngine } = parts
  const look = createLooking({ useServiceEngine })
  const rename = createCatalogRenaming({ ...parts, ...parts.renaming, look })

  async function find(actor: Actor, name: string): Promise<InternalCatalogRow | null> {
    const row = await store.find(actor.accountId, name)
    return row && (await maySee(parts, actor, row.name)) ? row : null
  }

  return {
    /** Those that the actor may see. */
    async list(actor: Actor): Promise<Catalog[]> {
      const seen: Catalog[] = []
      for (const { name, description } of await store.list(actor.accountId))
        if (await maySee(parts, actor, name)) seen.push({ name, type: 'Internal', description })
      if (lake?.has(actor.accountId) && (await maySee(parts, actor, lake.catalog)))
        seen.push({ name: lake.catalog, type: 'Internal', description: LAKE_DESCRIPTION })
      return seen
    },

    isLake: (actor: Actor, name: string): boolean =>
      lake !== null && lake.has(actor.accountId) && isSameName(name, lake.catalog),

    async create(who: Who, draft: NewInternalCatalog): Promise<void> {
      await createCatalog(parts, who, draft)
      await announceChange(parts, who.actor.accountId, { catalog: draft.name })
    },

    /** False when there is none of this name. */
    async rename(who: Who, name: string, to: NewName): Promise<boolean> {
      const row = await find(who.actor, name)
      if (!row) return false
      await rename(who, row, to)
      await announceChange(parts, row.account_id, { catalog: row.name, renamedTo: to.newName })
      return true
    },

    /** False when there is none of this name. Without `cascade`, one that holds something is not dropped. */
    async drop(who: Who, name: string, cascade: boolean): Promise<boolean> {
      const row = await find(who.actor, name)
      if (!row) return false
      if (!cascade) await requireEmpty(look, who.actor, row.name)
      await dropRow(parts, who, row)
      await announceChange(parts, row.account_id, { catalog: row.name })
      return true
    },

    /** Null when there is none of this name. */
    async createStatement(actor: Actor, name: string): Promise<string | null> {
      const row = await find(actor, name)
      if (!row) return null
      const comment = row.description === '' ? '' : `\nCOMMENT ${quoteString(row.description)}`
      return `CREATE CATALOG ${quoteIdentifier(row.name)}${comment}`
    },
  }
}

export type InternalCatalogs = ReturnType<typeof createInternalCatalogs>
