import { randomUUID } from 'node:crypto'
import {
  accessesOf,
  type AccessObject,
  type Catalog,
  type CatalogField,
  fieldsOf,
  hasOneWay,
  LIMITS,
  type Metastore,
  METASTORES,
  type NewCatalog,
  objectOf,
  SECRET_FIELDS,
} from '@boathouse/contract'
import { quoteIdentifier, quoteString } from '@boathouse/sql'
import type { Transaction } from 'kysely'
import {
  type AccountCatalog,
  type ExternalCatalog,
  type FolderCatalog,
  FolderRefused,
  type FolderReport,
} from '../../../engines/engine/attachments.ts'
import { EngineUnavailable, type UseEngine } from '../../../engines/engine/engine.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import type { Sealer } from '../../../kernel/sealing.ts'
import type { Schema } from '../../../store/schema.ts'
import type { Authority } from '../../access/authority.ts'
import type { NewAnnouncement } from '../../announcement/service.ts'
import { userAuthor } from '../../audit/author.ts'
import { recordAudit } from '../../audit/record.ts'
import type { Who } from '../changes/apply-change.ts'
import { catalogMissing, catalogTaken, isReservedCatalog } from './catalogs.ts'
import { type ExternalCatalogRow, type ExternalStore, isNameTaken } from './external-store.ts'
import {
  attachmentsFor,
  cannotRead,
  folderCatalogOf,
  isAttached,
  isRead,
  notRead,
  type OpenFolder,
  overlap,
  readableBy,
  type Sort,
} from './folder-catalogs.ts'
import type { OutsideOfAccounts } from './outside.ts'
import { secretsPlace } from './secrets-place.ts'

export interface ExternalParts {
  readonly store: ExternalStore
  readonly transaction: <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>
  readonly sealer: Sealer
  readonly authority: Pick<Authority, 'may'>
  /** A new one begins without any, whatever had its name before. */
  readonly forgetGrants: (trx: Transaction<Schema>, accountId: string, object: AccessObject) => Promise<void>
  readonly useServiceEngine: UseEngine
  /** Those that whoever runs the service has opened to an account. */
  readonly openFolders: (accountId: string) => readonly OpenFolder[]
  /** By which engines read what lies outside. */
  readonly outside: OutsideOfAccounts
  readonly announce: (announcement: NewAnnouncement) => Promise<void>
  readonly clock: Clock
  readonly log: Log
}

const RESEALED_AT_ONCE = 100
const MOST_PROBLEMS = 20
const MASK = '******'

/** As in SHOW CREATE CATALOG: what is secret is masked. */
function createStatementOf({ name, description, metastore, settings }: ExternalCatalogRow): string {
  const access = accessesOf(metastore as Metastore).find((one) => one === settings['access']) ?? 'key'
  const shown = fieldsOf(metastore as Metastore, access).map((field): [string, string] => [
    field,
    SECRET_FIELDS.has(field) ? MASK : (settings[field] ?? ''),
  ])
  const ofFiles = hasOneWay(metastore as Metastore) ? [] : [['access', access] as const]
  const properties = [['type', metastore] as const, ...ofFiles, ...shown]
    .map(([key, value]) => `  ${quoteString(key)} = ${quoteString(value)}`)
    .join(',\n')
  const comment = description === '' ? '' : `\nCOMMENT ${quoteString(description)}`
  return `CREATE EXTERNAL CATALOG ${quoteIdentifier(name)}${comment}\nPROPERTIES (\n${properties}\n)`
}

const sortOf = ({ metastore, settings }: Pick<ExternalCatalogRow, 'metastore' | 'settings'>): Sort => ({
  metastore,
  access: settings['access'],
})

const sortOfDraft = ({ metastoreType: metastore, access }: NewCatalog): Sort => ({ metastore, access })

/** One that an engine reads by way of the service; null for others. */
function outsideOf(metastore: string, id: string, name: string): ExternalCatalog | null {
  if (metastore === 'bucket') return { kind: 'bucket', id, name }
  return metastore === 'tabular' ? { kind: 'iceberg', id, name } : null
}

/** Catalogs over data that lies elsewhere: their definitions, with secrets sealed. */
export function createExternalCatalogs(parts: ExternalParts) {
  const { store, transaction, sealer, authority, forgetGrants, announce, clock, log } = parts
  const { useServiceEngine, openFolders, outside } = parts

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

  const folderOf = (accountId: string, { catalog_id: id, name, settings }: ExternalCatalogRow) =>
    folderCatalogOf({ id, name, folder: settings['folder'] ?? '' }, openFolders(accountId))

  /** Of one that an engine can have. */
  const definitionOf = (accountId: string, row: ExternalCatalogRow): ExternalCatalog =>
    outsideOf(row.metastore, row.catalog_id, row.name) ?? folderOf(accountId, row)

  const draftOf = (
    accountId: string,
    id: string,
    { name, folder, metastoreType }: NewCatalog,
  ): ExternalCatalog =>
    outsideOf(metastoreType, id, name) ?? folderCatalogOf({ id, name, folder }, openFolders(accountId))

  /** What the engine says of a catalog before it is kept. Throws when it could not be read. */
  async function tryOut(accountId: string, draft: NewCatalog): Promise<FolderReport> {
    const id = randomUUID()
    // For as long as it is tried, an engine reads it as if it were kept.
    const isOutside = outsideOf(draft.metastoreType, id, draft.name) !== null
    const forget = isOutside ? outside.lend(accountId, id, draft) : () => undefined
    try {
      return await useServiceEngine(accountId, (engine) =>
        attachmentsFor(engine, sortOfDraft(draft)).tryOut(draftOf(accountId, id, draft)),
      )
    } catch (error) {
      if (error instanceof FolderRefused) throw notRead(draft, error.message)
      if (error instanceof EngineUnavailable)
        throw new AppError('Unavailable', error.message, { cause: error })
      throw error
    } finally {
      forget()
    }
  }

  /** Folders and buckets are read here or not made; the definitions of others are kept for an engine that reads them. */
  const isMadeToBeRead = async (accountId: string, draft: NewCatalog): Promise<boolean> =>
    hasOneWay(draft.metastoreType) ||
    (isAttached(sortOfDraft(draft)) &&
      useServiceEngine(accountId, async (engine) => isRead(engine, sortOfDraft(draft))))

  /** A file belongs to one catalog, so that it is clear whose privileges open it. */
  async function requireApart(accountId: string, wanted: FolderCatalog): Promise<void> {
    const others = (await store.list(accountId)).filter(({ metastore }) => metastore === 'folder')
    const other = others.find((row) => overlap(folderOf(accountId, row), wanted))
    if (other)
      throw new AppError(
        'Conflict',
        `The catalog ${other.name} shows the folder ${other.settings['folder']}, which contains this folder or is inside it. Drop that catalog, or choose another folder.`,
      )
  }

  /** Of one that is kept: an engine that does not get to it now does when it starts again. */
  const inEngine = (accountId: string, catalog: AccountCatalog, change: 'attach' | 'remove'): Promise<void> =>
    useServiceEngine(accountId, async ({ attachments }) => attachments?.[change](catalog)).catch(
      (error: unknown) =>
        log.warn({ err: error, accountId }, 'an engine did not follow a change of a catalog'),
    )

  return {
    /** As an engine that starts has to know those that it reads. */
    async attached(accountId: string): Promise<AccountCatalog[]> {
      const rows = await store.list(accountId)
      return rows.filter((row) => isAttached(sortOf(row))).map((row) => definitionOf(accountId, row))
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
      const { databases, tables, problems } = await tryOut(accountId, draft)
      return { databases, tables, problems: problems.slice(0, MOST_PROBLEMS) }
    },

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
      const definition = (await isMadeToBeRead(accountId, draft))
        ? draftOf(accountId, catalogId, draft)
        : null
      if (definition) await tryOut(accountId, draft)
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
        if (definition?.kind === 'folder') await requireApart(accountId, definition)
        await forgetGrants(trx, accountId, objectOf('catalog', { catalog: name }))
        await store.insert(trx, {
          catalog_id: catalogId,
          account_id: accountId,
          name,
          description,
          metastore: metastoreType,
          settings: { access, ...values(false) },
          secrets: sealer.seal(JSON.stringify(values(true)), secretsPlace(catalogId)),
          created_by: actor.user,
          created_at: clock.now(),
        })
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
      if (definition) await inEngine(accountId, definition, 'attach')
      await tell(accountId, name)
      if (definition) return { notice: '' }
      return useServiceEngine(accountId, async (engine) => ({
        notice: cannotRead(engine, sortOfDraft(draft)),
      }))
    },

    /** CATALOG-09, CATALOG-13 */
    async drop(who: Who, name: string): Promise<void> {
      const { actor } = who
      const { accountId } = actor
      const row = await find(actor, name)
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
      if (isAttached(sortOf(row))) await inEngine(accountId, definitionOf(accountId, row), 'remove')
      await tell(accountId, row.name)
    },

    async createStatement(actor: Actor, name: string): Promise<string> {
      return createStatementOf(await find(actor, name))
    },

    /** Throws for one that is there and cannot be looked into: it is not the same as one that is not there. */
    async requireReadable(actor: Actor, name: string): Promise<void> {
      const row = await store.find(actor.accountId, name)
      if (!row || !(await maySee(actor, row.name))) return
      await useServiceEngine(actor.accountId, async (engine) => attachmentsFor(engine, sortOf(row)))
    },

    /** With the newest key, all that another one has sealed. */
    async reseal(): Promise<void> {
      for (;;) {
        const stale = await store.sealedByOthers(sealer.newestPrefix, RESEALED_AT_ONCE)
        for (const { catalog_id: catalogId, secrets } of stale) {
          const place = secretsPlace(catalogId)
          await store.reseal(catalogId, secrets, sealer.seal(sealer.open(secrets, place), place))
        }
        if (stale.length < RESEALED_AT_ONCE) return
      }
    },
  }
}

export type ExternalCatalogs = ReturnType<typeof createExternalCatalogs>
