import { type Catalog, type Metastore, METASTORES, type NewCatalog, objectOf } from '@boathouse/contract'
import type { AccountCatalog } from '../../../engines/engine/attachments.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { userAuthor } from '../../audit/author.ts'
import { recordAudit } from '../../audit/record.ts'
import type { GivenCatalog } from '../../../kernel/outside.ts'
import type { Who } from '../changes/apply-change.ts'
import { announceChange, maySee } from './catalog-news.ts'
import { catalogMissing } from './catalogs.ts'
import { addCatalog, tryOut } from './external-adding.ts'
import { createStatementOf, definitionOf, sortOf } from './external-definitions.ts'
import { type ExternalParts, followInEngine } from './external-parts.ts'
import type { ExternalCatalogRow } from './external-store.ts'
import { attachmentsFor, cannotRead, isAttached, readableBy } from './folder-catalogs.ts'
import { givenCatalogOf } from './given-catalogs.ts'
import { secretsPlace } from './secrets-place.ts'

const RESEALED_AT_ONCE = 100
const MOST_PROBLEMS = 20

async function find(parts: ExternalParts, actor: Actor, name: string): Promise<ExternalCatalogRow> {
  const row = await parts.store.find(actor.accountId, name)
  if (!row || !(await maySee(parts, actor, row.name))) throw catalogMissing(name)
  return row
}

async function listSeen(parts: ExternalParts, actor: Actor): Promise<Catalog[]> {
  const seen: Catalog[] = []
  for (const { name, description, metastore } of await parts.store.list(actor.accountId))
    if (await maySee(parts, actor, name))
      seen.push({ name, type: 'External', description, metastoreType: metastore as Metastore })
  return seen
}

/** CATALOG-09, CATALOG-13 */
async function drop(parts: ExternalParts, who: Who, name: string): Promise<void> {
  const { store, transaction, forgetGrants, outside, openFolders, followInClusters, clock } = parts
  const { accountId } = who.actor
  const row = await find(parts, who.actor, name)
  await transaction(async (trx) => {
    await forgetGrants(trx, accountId, objectOf('catalog', { catalog: row.name }))
    if (!(await store.remove(trx, accountId, row.name))) throw catalogMissing(name)
    await recordAudit(trx, {
      accountId,
      at: clock.now(),
      by: userAuthor(who),
      action: 'catalog.drop',
      object: { type: 'catalog', id: row.catalog_id, name: row.name },
      before: { name: row.name, metastore: row.metastore },
      after: null,
    })
  })
  outside.forget(row.catalog_id)
  if (isAttached(sortOf(row))) {
    const catalog = definitionOf(row, openFolders(accountId))
    await followInEngine(parts, accountId, { catalog, change: 'remove' })
  }
  await followInClusters(accountId, row.name)
  await announceChange(parts, accountId, { catalog: row.name })
}

/** With the newest key, all that another one has sealed. */
async function reseal({ store, sealer }: Pick<ExternalParts, 'store' | 'sealer'>): Promise<void> {
  for (;;) {
    const stale = await store.sealedByOthers(sealer.newestPrefix, RESEALED_AT_ONCE)
    for (const { catalog_id: catalogId, secrets } of stale) {
      const place = secretsPlace(catalogId)
      await store.reseal(catalogId, secrets, sealer.seal(sealer.open(secrets, place), place))
    }
    if (stale.length < RESEALED_AT_ONCE) return
  }
}

/** Catalogs over data that lies elsewhere: their definitions, with secrets sealed. */
export function createExternalCatalogs(parts: ExternalParts) {
  const { store, useServiceEngine, openFolders } = parts
  return {
    /** Those that an engine has to know when it starts. */
    async attached(accountId: string): Promise<AccountCatalog[]> {
      const rows = (await store.list(accountId)).filter((row) => isAttached(sortOf(row)))
      return rows.map((row) => definitionOf(row, openFolders(accountId)))
    },

    /** Those that clusters of the account have beside its own. */
    async givenToClusters(accountId: string): Promise<GivenCatalog[]> {
      return (await store.list(accountId)).map((row) => givenCatalogOf(row, parts.openEndpoints))
    },

    /** Which can be made and read. */
    options: ({ accountId }: Actor) =>
      useServiceEngine(accountId, async (engine) => ({
        readable: readableBy(engine),
        unreadable: METASTORES.filter((metastoreType) => !readableBy(engine).includes(metastoreType)).map(
          (metastoreType) => ({ metastoreType, why: cannotRead(engine, { metastore: metastoreType }) }),
        ),
        folders: openFolders(accountId).map(({ name }) => name),
      })),

    async test({ accountId }: Actor, draft: NewCatalog) {
      const { databases, tables, problems } = await tryOut(parts, accountId, draft)
      return { databases, tables, problems: problems.slice(0, MOST_PROBLEMS) }
    },

    /** Those that the actor may see. */
    list: (actor: Actor) => listSeen(parts, actor),

    add: (who: Who, draft: NewCatalog) => addCatalog(parts, who, draft),

    drop: (who: Who, name: string) => drop(parts, who, name),

    createStatement: async (actor: Actor, name: string): Promise<string> =>
      createStatementOf(await find(parts, actor, name)),

    /** Throws for one that is there and cannot be read, which is not the same as one that is not there. */
    async requireReadable(actor: Actor, name: string): Promise<void> {
      const row = await store.find(actor.accountId, name)
      if (!row || !(await maySee(parts, actor, row.name))) return
      await useServiceEngine(actor.accountId, async (engine) => attachmentsFor(engine, sortOf(row)))
    },

    reseal: () => reseal(parts),
  }
}

export type ExternalCatalogs = ReturnType<typeof createExternalCatalogs>
