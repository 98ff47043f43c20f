import { isSameName } from '@boathouse/contract'
import type { Transaction } from 'kysely'
import { type Engine, EngineUnavailable, type UseEngine } from '../../../engines/engine/engine.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import type { Schema } from '../../../store/schema.ts'
import { userAuthor } from '../../audit/author.ts'
import { recordAudit } from '../../audit/record.ts'
import type { Who } from '../changes/apply-change.ts'
import { catalogMissing, catalogTaken, requireCatalogName } from './catalogs.ts'
import { isNameTaken, lockCatalogs } from './external-store.ts'
import type { InternalCatalogRow, InternalStore } from './internal-store.ts'
import type { Look } from '../objects/looking.ts'

export interface RenamingParts {
  readonly store: Pick<InternalStore, 'nameOf' | 'rename'>
  readonly transaction: <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>
  readonly useServiceEngine: UseEngine
  readonly look: Look
  /** Until what it gives is called, no statement begins in the catalog, but for those of open transactions. */
  readonly beginRenaming: (accountId: string, catalog: string) => () => void
  /** How many that stand in it wait or run. */
  readonly statementsIn: (trx: Transaction<Schema>, accountId: string, catalog: string) => Promise<number>
  /** Materialized views that name it in their query, by their full names. */
  readonly viewsNaming: (accountId: string, catalog: string) => Promise<readonly string[]>
  /** What is remembered of the account by names is no longer true. */
  readonly onRenamed: (accountId: string) => void
  readonly clock: Clock
  readonly log: Log
}

export interface NewName {
  readonly newName: string
  /** Although views name it in their texts. */
  readonly evenIfUsed: boolean
}

const MOST_NAMED = 5
const MOST_LOOKED_AT = 200
/** Each waits for whatever uses it. */
const MOST_TRIES = 3

const UNSETTLED = 'until the engine restarts, its names of catalogs may differ from those of the service'

const inUse = (name: string) =>
  new AppError(
    'Conflict',
    `Statements or transactions are using the catalog ${name}. Rename it when they have ended, or stop them.`,
  )

function stillNamed(name: string, users: readonly string[]): AppError {
  const others = users.length - MOST_NAMED
  const shown = [...users.slice(0, MOST_NAMED), ...(others > 0 ? [`${others} more`] : [])]
  return new AppError(
    'Conflict',
    `${shown.join(', ')} may name the catalog ${name} and would stop working. Recreate them without it, or rename it anyway.`,
  )
}

/** Its row is all that is written: whatever else is kept of a catalog knows it by its id. */
export function createCatalogRenaming(parts: RenamingParts) {
  const { store, transaction, useServiceEngine, look, statementsIn, viewsNaming, clock, log } = parts

  async function requireUnnamed(who: Who, { account_id, name }: InternalCatalogRow): Promise<void> {
    const texts = await look(
      who.actor,
      async ({ descriptions }) => (await descriptions?.mayNameCatalog(name, MOST_LOOKED_AT)) ?? [],
    )
    const users = [
      ...texts.map((one) => `${one.catalog}.${one.database}.${one.name}`),
      ...(await viewsNaming(account_id, name)),
    ]
    if (users.length > 0) throw stillNamed(name, users)
  }

  /** What it is called after all: a COMMIT of which no answer came may have taken effect. The engine calls it so, too. */
  async function settled(
    attachments: Engine['attachments'],
    { account_id: accountId, catalog_id: id, name }: InternalCatalogRow,
    newName: string,
  ): Promise<string | null> {
    const nameAgain = async (kept: string) => {
      let isNamed = kept === newName
      for (let tries = 0; !isNamed && tries < MOST_TRIES; tries++)
        isNamed = (await attachments?.rename(newName, kept)) ?? true
      if (!isNamed) throw inUse(newName)
    }
    let kept: string | null = null
    try {
      await transaction(async (trx) => {
        // Whatever has not ended yet of the one before holds it.
        await lockCatalogs(trx, accountId)
        kept = (await store.nameOf(trx, id)) ?? name
        await nameAgain(kept)
      })
    } catch (error) {
      const unsettled = (err: unknown) => log.error({ err, accountId, catalogId: id }, UNSETTLED)
      unsettled(error)
      // Most that breaks off does so before its end.
      if (kept === null) await nameAgain(name).catch(unsettled)
    }
    return kept
  }

  /** The engine first: it alone knows whether something uses it. An engine that starts asks for the names that are kept. */
  async function renameIn(
    { attachments }: Engine,
    who: Who,
    { row, newName }: { row: InternalCatalogRow; newName: string },
  ) {
    const { account_id: accountId, catalog_id: id, name } = row
    let isNamed = false
    const ends: (() => void)[] = []
    try {
      await transaction(async (trx) => {
        await lockCatalogs(trx, accountId)
        if ((await store.nameOf(trx, id)) !== name) throw catalogMissing(name)
        if (!isSameName(name, newName) && (await isNameTaken(trx, accountId, newName)))
          throw catalogTaken(newName)
        ends.push(parts.beginRenaming(accountId, name))
        if ((await statementsIn(trx, accountId, name)) > 0) throw inUse(name)
        isNamed = (await attachments?.rename(name, newName)) ?? true
        if (!isNamed) throw inUse(name)
        if (!(await store.rename(trx, id, newName))) throw catalogMissing(name)
        await recordAudit(trx, {
          accountId,
          at: clock.now(),
          by: userAuthor(who),
          action: 'catalog.rename',
          object: { type: 'catalog', id, name },
          before: { name },
          after: { name: newName },
        })
      })
    } catch (error) {
      if (!isNamed || (await settled(attachments, row, newName)) !== newName) throw error
    } finally {
      parts.onRenamed(accountId)
      for (const end of ends) end()
    }
  }

  return async function rename(who: Who, row: InternalCatalogRow, to: NewName): Promise<void> {
    const { account_id: accountId, name } = row
    const { newName, evenIfUsed } = to
    requireCatalogName(newName)
    if (newName === name) return
    if (!evenIfUsed) await requireUnnamed(who, row)
    try {
      await useServiceEngine(accountId, (engine) => renameIn(engine, who, { row, newName }))
    } catch (error) {
      if (error instanceof EngineUnavailable)
        throw new AppError('Unavailable', error.message, { cause: error })
      throw error
    }
  }
}
