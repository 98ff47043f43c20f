import { randomUUID } from 'node:crypto'
import {
  type AccessObject,
  type Catalog,
  type CatalogField,
  fieldsOf,
  LIMITS,
  type Metastore,
  METASTORE_NAMES,
  type NewCatalog,
  objectOf,
  SECRET_FIELDS,
} from '@boathouse/contract'
import { quoteIdentifier, quoteString } from '@boathouse/sql'
import type { Transaction } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Sealer } from '../../kernel/sealing.ts'
import type { Schema } from '../../store/schema.ts'
import type { Authority } from '../access/authority.ts'
import type { NewAnnouncement } from '../announcement/service.ts'
import { userAuthor } from '../audit/author.ts'
import { recordAudit } from '../audit/record.ts'
import type { Who } from './apply-change.ts'
import { catalogMissing, catalogTaken, isReservedCatalog } from './catalogs.ts'
import { type ExternalCatalogRow, type ExternalStore, isNameTaken } from './external-store.ts'

export interface ExternalParts {
  readonly store: ExternalStore
  readonly transaction: <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>
  readonly sealer: Sealer
  readonly authority: Pick<Authority, 'may'>
  /** A new one begins without any, whatever had its name before. */
  readonly forgetGrants: (trx: Transaction<Schema>, accountId: string, object: AccessObject) => Promise<void>
  readonly announce: (announcement: NewAnnouncement) => Promise<void>
  readonly clock: Clock
  readonly log: Log
}

const RESEALED_AT_ONCE = 100
const MASK = '******'

const placeOf = (catalogId: string): string => `external catalog ${catalogId}`

/** Which engine reads what this one does not. */
const cannotRead = (metastore: string): string =>
  `The embedded engine of this account does not read external catalogs of the type ${METASTORE_NAMES[metastore as Metastore]}; an engine such as Trino does. The definition is kept for it.`

/** As in SHOW CREATE CATALOG: what is secret is masked. */
function createStatementOf({ name, description, metastore, settings }: ExternalCatalogRow): string {
  const access = settings['access'] === 'role' ? 'role' : 'key'
  const shown = fieldsOf(metastore as Metastore, access).map((field): [string, string] => [
    field,
    SECRET_FIELDS.has(field) ? MASK : (settings[field] ?? ''),
  ])
  const properties = [['type', metastore] as const, ['access', access] as const, ...shown]
    .map(([key, value]) => `  ${quoteString(key)} = ${quoteString(value)}`)
    .join(',\n')
  const comment = description === '' ? '' : `\nCOMMENT ${quoteString(description)}`
  return `CREATE EXTERNAL CATALOG ${quoteIdentifier(name)}${comment}\nPROPERTIES (\n${properties}\n)`
}

/** Catalogs over data that lies elsewhere: their definitions, with secrets sealed. */
export function createExternalCatalogs(parts: ExternalParts) {
  const { store, transaction, sealer, authority, forgetGrants, announce, clock, log } = parts

  const maySee = (actor: Actor, catalog: string): Promise<boolean> =>
    authority.may(actor, 'USAGE', objectOf('catalog', { catalog }))

  async function tell(accountId: string, catalog: string): Promise<void> {
    await announce({
      accountId,
      userId: null,
      type: 'GlobalEventTypeCatalogChanged',
      data: { catalog },
    }).catch((error: unknown) => log.warn({ err: error }, 'a change of a catalog was not announced'))
  }

  async function find(actor: Actor, name: string): Promise<ExternalCatalogRow> {
    const row = await store.find(actor.accountId, name)
    if (!row || !(await maySee(actor, row.name))) throw catalogMissing(name)
    return row
  }

  return {
    /** Those that somebody may see. */
    async list(actor: Actor): Promise<Catalog[]> {
      const seen: Catalog[] = []
      for (const { name, description, metastore } of await store.list(actor.accountId))
        if (await maySee(actor, name))
          seen.push({ name, type: 'External', description, metastoreType: metastore as Metastore })
      return seen
    },

    /** CATALOG-36: two names that differ in case only would be mistaken. */
    async add(who: Who, draft: NewCatalog): Promise<{ notice: string }> {
      const { actor } = who
      const { accountId } = actor
      const { name, description, metastoreType, access } = draft
      if (isReservedCatalog(name)) throw catalogTaken(name)
      const catalogId = randomUUID()
      const fields = fieldsOf(metastoreType, access)
      const values = (isSecret: boolean): Record<string, string> =>
        Object.fromEntries(
          fields
            .filter((field: CatalogField) => SECRET_FIELDS.has(field) === isSecret)
            .map((field) => [field, draft[field]]),
        )
      await transaction(async (trx) => {
        if ((await store.countAlone(trx, accountId)) >= LIMITS.catalogsPerAccount)
          throw new AppError(
            'LimitReached',
            `An account has at most ${LIMITS.catalogsPerAccount} external catalogs. Drop one that is no longer needed, then create this one.`,
          )
        if (await isNameTaken(trx, accountId, name)) throw catalogTaken(name)
        await store.insert(trx, {
          catalog_id: catalogId,
          account_id: accountId,
          name,
          description,
          metastore: metastoreType,
          settings: { access, ...values(false) },
          secrets: sealer.seal(JSON.stringify(values(true)), placeOf(catalogId)),
          created_by: actor.user,
          created_at: clock.now(),
        })
        await forgetGrants(trx, accountId, objectOf('catalog', { catalog: name }))
        await recordAudit(trx, {
          accountId,
          at: clock.now(),
          by: userAuthor(who),
          action: 'catalog.create',
          object: { type: 'catalog', id: catalogId, name },
          before: null,
          after: { name, metastore: metastoreType, ...values(false) },
        })
      })
      await tell(accountId, name)
      return { notice: cannotRead(metastoreType) }
    },

    /** CATALOG-09, CATALOG-13 */
    async drop(who: Who, name: string): Promise<void> {
      const { actor } = who
      const { accountId } = actor
      const row = await find(actor, name)
      await transaction(async (trx) => {
        if (!(await store.remove(trx, accountId, row.name))) throw catalogMissing(name)
        await forgetGrants(trx, accountId, objectOf('catalog', { catalog: row.name }))
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
      await tell(accountId, row.name)
    },

    async createStatement(actor: Actor, name: string): Promise<string> {
      return createStatementOf(await find(actor, name))
    },

    /** Throws for one that is there and cannot be looked into: it is not the same as one that is not there. */
    async requireReadable(actor: Actor, name: string): Promise<void> {
      const row = await store.find(actor.accountId, name)
      if (row && (await maySee(actor, row.name))) throw new AppError('QueryFailed', cannotRead(row.metastore))
    },

    /** With the newest key, all that another one has sealed. */
    async reseal(): Promise<void> {
      for (;;) {
        const stale = await store.sealedByOthers(sealer.newestPrefix, RESEALED_AT_ONCE)
        for (const { catalog_id: catalogId, secrets } of stale) {
          const place = placeOf(catalogId)
          await store.reseal(catalogId, secrets, sealer.seal(sealer.open(secrets, place), place))
        }
        if (stale.length < RESEALED_AT_ONCE) return
      }
    },
  }
}

export type ExternalCatalogs = ReturnType<typeof createExternalCatalogs>
