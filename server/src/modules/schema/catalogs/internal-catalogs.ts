import { randomUUID } from 'node:crypto'
import { type AccessObject, type Catalog, EDITION_NAMES, LIMITS, objectOf } from '@boathouse/contract'
import { quoteIdentifier, quoteString } from '@boathouse/sql'
import type { Transaction } from 'kysely'
import { type Engine, EngineUnavailable, type UseEngine } from '../../../engines/engine/engine.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import type { Schema } from '../../../store/schema.ts'
import type { Authority } from '../../access/authority.ts'
import type { NewAnnouncement } from '../../announcement/service.ts'
import { userAuthor } from '../../audit/author.ts'
import { recordAudit } from '../../audit/record.ts'
import { catalogMissing, catalogTaken, requireCatalogName } from './catalogs.ts'
import { createCatalogRenaming, type NewName, type RenamingParts } from './catalog-renaming.ts'
import type { Who } from '../changes/apply-change.ts'
import { isNameTaken } from './external-store.ts'
import type { InternalCatalogRow, InternalStore } from './internal-store.ts'
import { createLooking } from '../objects/looking.ts'

export interface InternalParts {
  readonly store: InternalStore
  readonly transaction: <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>
  readonly authority: Pick<Authority, 'may'>
  /** A new one begins without any, whatever had its name before. */
  readonly forgetGrants: (trx: Transaction<Schema>, accountId: string, object: AccessObject) => Promise<void>
  readonly forgetViewOwners: (
    trx: Transaction<Schema>,
    accountId: string,
    object: AccessObject,
  ) => Promise<void>
  readonly useServiceEngine: UseEngine
  readonly renaming: Pick<RenamingParts, 'beginRenaming' | 'statementsIn' | 'viewsNaming' | 'onRenamed'>
  readonly announce: (announcement: NewAnnouncement) => Promise<void>
  readonly clock: Clock
  readonly log: Log
}

export interface NewInternalCatalog {
  readonly name: string
  readonly description: string
}

/** CATALOG-39, CATALOG-40 */
const notInEdition = () =>
  new AppError(
    'NoPermission',
    `Internal catalogs beside default_catalog need the ${EDITION_NAMES.standard}, and this account has the ${EDITION_NAMES.lake}. An upgrade is irreversible and is handled by support.`,
  )

const oneCatalogOnly = () =>
  new AppError('QueryFailed', 'The engine of this account supports only one catalog.')

const HELD_NAMED = 3

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

/** Catalogs of the account's own data beside the first one. */
export function createInternalCatalogs(parts: InternalParts) {
  const { store, transaction, authority, forgetGrants, forgetViewOwners, announce, clock, log } = parts
  const { useServiceEngine } = parts
  const look = createLooking({ useServiceEngine })
  const rename = createCatalogRenaming({ ...parts, ...parts.renaming, look })

  const maySee = (actor: Actor, catalog: string): Promise<boolean> =>
    authority.may(actor, 'USAGE', objectOf('catalog', { catalog }))

  async function tell(accountId: string, catalog: string, renamedTo?: string): Promise<void> {
    const type = 'GlobalEventTypeCatalogChanged'
    const data = { catalog, ...(renamedTo === undefined ? {} : { renamedTo }) }
    await announce({ accountId, userId: null, type, data }).catch((error: unknown) =>
      log.warn({ err: error }, 'a change of a catalog was not announced'),
    )
  }

  async function find(actor: Actor, name: string): Promise<InternalCatalogRow | null> {
    const row = await store.find(actor.accountId, name)
    return row && (await maySee(actor, row.name)) ? row : null
  }

  /** The name is taken before anything is made: what is made then belongs to it, whatever happens in between. */
  async function reserve(actor: Actor, { name, description }: NewInternalCatalog): Promise<string> {
    const { accountId } = actor
    const catalogId = randomUUID()
    await transaction(async (trx) => {
      if ((await store.countAlone(trx, accountId)) >= LIMITS.internalCatalogsPerAccount)
        throw new AppError(
          'LimitReached',
          `An account has at most ${LIMITS.internalCatalogsPerAccount} internal catalogs beside default_catalog. Drop one that is no longer needed, then create this one.`,
        )
      if (await isNameTaken(trx, accountId, name)) throw catalogTaken(name)
      await forget(trx, accountId, name)
      await store.insert(trx, {
        catalog_id: catalogId,
        account_id: accountId,
        name,
        description,
        created_by: actor.user,
        created_at: clock.now(),
        opened_at: null,
      })
    })
    return catalogId
  }

  async function forget(trx: Transaction<Schema>, accountId: string, name: string): Promise<void> {
    const object = objectOf('catalog', { catalog: name })
    await forgetGrants(trx, accountId, object)
    await forgetViewOwners(trx, accountId, object)
  }

  /** What an engine left of one that is not there is set aside when it starts again. */
  async function giveUp(attachments: NonNullable<Engine['attachments']>, id: string, name: string) {
    await transaction((trx) => store.remove(trx, id))
    await attachments
      .remove({ id, name })
      .catch((error: unknown) => log.warn({ err: error }, 'the file of a catalog was not removed'))
  }

  async function make(who: Who, engine: Engine, draft: NewInternalCatalog): Promise<void> {
    const { attachments } = engine
    if (!attachments?.kinds.has('own')) throw oneCatalogOnly()
    const { name } = draft
    const { accountId } = who.actor
    const id = await reserve(who.actor, draft)
    try {
      await attachments.attach({ kind: 'own', id, name, isNew: true })
    } catch (error) {
      await giveUp(attachments, id, name)
      throw error
    }
    const isThere = await transaction(async (trx) => {
      if (!(await store.opened(trx, id, clock.now()))) return false
      await recordAudit(trx, {
        accountId,
        at: clock.now(),
        by: userAuthor(who),
        action: 'catalog.create',
        object: { type: 'catalog', id, name },
        before: null,
        after: { name, type: 'internal' },
      })
      return true
    })
    if (isThere) return
    await giveUp(attachments, id, name)
    throw catalogMissing(name)
  }

  return {
    /** Those that somebody may see. */
    async list(actor: Actor): Promise<Catalog[]> {
      const seen: Catalog[] = []
      for (const { name, description } of await store.list(actor.accountId))
        if (await maySee(actor, name)) seen.push({ name, type: 'Internal', description })
      return seen
    },

    /** CATALOG-39 */
    async create(who: Who, draft: NewInternalCatalog): Promise<void> {
      requireCatalogName(draft.name)
      const { accountId } = who.actor
      if ((await store.edition(accountId)) !== 'standard') throw notInEdition()
      try {
        await useServiceEngine(accountId, (engine) => make(who, engine, draft))
      } catch (error) {
        if (error instanceof EngineUnavailable)
          throw new AppError('Unavailable', error.message, { cause: error })
        throw error
      }
      await tell(accountId, draft.name)
    },

    /** False when there is none of this name. */
    async rename(who: Who, name: string, to: NewName): Promise<boolean> {
      const row = await find(who.actor, name)
      if (!row) return false
      await rename(who, row, to)
      await tell(row.account_id, row.name, to.newName)
      return true
    },

    /** False when there is none of this name. Its data is gone with it: others are told what it holds first. */
    async drop(who: Who, name: string, cascade: boolean): Promise<boolean> {
      const { actor } = who
      const { accountId } = actor
      const row = await find(actor, name)
      if (!row) return false
      const { catalog_id: id } = row
      if (!cascade)
        await look(actor, async ({ rows, catalogs, hasCatalog }) => {
          if (!hasCatalog(row.name)) throw notKnown(row.name)
          const held = await rows(catalogs.allTables(row.name), HELD_NAMED + 1)
          if (held.length > 0)
            throw notEmpty(
              row.name,
              held.map(([database, table]) => `${database}.${table}`),
            )
        })
      await transaction(async (trx) => {
        await forget(trx, accountId, row.name)
        if (!(await store.remove(trx, id))) throw catalogMissing(name)
        await recordAudit(trx, {
          accountId,
          at: clock.now(),
          by: userAuthor(who),
          action: 'catalog.drop',
          object: { type: 'catalog', id, name: row.name },
          before: { name: row.name, type: 'internal' },
          after: null,
        })
      })
      // It is dropped: an engine that does not get to it now sets its file aside when it starts again.
      await useServiceEngine(accountId, async ({ attachments }) =>
        attachments?.remove({ id, name: row.name }),
      ).catch((error: unknown) =>
        log.warn({ err: error, accountId }, 'the file of a catalog was not removed'),
      )
      await tell(accountId, row.name)
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
