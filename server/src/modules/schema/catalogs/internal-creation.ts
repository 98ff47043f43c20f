import { randomUUID } from 'node:crypto'
import { EDITION_NAMES, LIMITS, objectOf } from '@boathouse/contract'
import { type Engine, EngineUnavailable } from '../../../engines/engine/engine.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { userAuthor } from '../../audit/author.ts'
import { recordAudit } from '../../audit/record.ts'
import type { Who } from '../changes/apply-change.ts'
import { catalogMissing, catalogTaken, requireCatalogName } from './catalogs.ts'
import { isNameTaken } from './external-store.ts'
import { forgetCatalog, type InternalParts } from './internal-parts.ts'

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

/** The name is taken before anything is created: what is created then belongs to it, whatever happens in between. */
async function reserve(
  parts: InternalParts,
  actor: Actor,
  { name, description }: NewInternalCatalog,
): Promise<string> {
  const { store, transaction, clock } = parts
  const { accountId } = actor
  const id = randomUUID()
  await transaction(async (trx) => {
    if ((await store.countAlone(trx, accountId)) >= LIMITS.internalCatalogsPerAccount)
      throw new AppError(
        'LimitReached',
        `An account has at most ${LIMITS.internalCatalogsPerAccount} internal catalogs beside default_catalog. Drop one that is no longer needed, then create this one.`,
      )
    if (await isNameTaken(trx, accountId, name)) throw catalogTaken(name)
    await forgetCatalog(parts, trx, { accountId, object: objectOf('catalog', { catalog: name }) })
    await store.insert(trx, {
      catalog_id: id,
      account_id: accountId,
      name,
      description,
      created_by: actor.user,
      created_at: clock.now(),
      opened_at: null,
    })
  })
  return id
}

type Attachments = NonNullable<Engine['attachments']>

/** What is left of it in an engine is set aside when that starts again. */
async function giveUp(
  { transaction, store, log }: InternalParts,
  attachments: Attachments,
  catalog: { readonly id: string; readonly name: string },
): Promise<void> {
  await transaction((trx) => store.remove(trx, catalog.id))
  await attachments
    .remove(catalog)
    .catch((error: unknown) => log.warn({ err: error }, 'the file of a catalog was not removed'))
}

/** From now on it is there; false when it was dropped meanwhile. */
const open = (
  { store, transaction, clock }: InternalParts,
  who: Who,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<boolean> =>
  transaction(async (trx) => {
    if (!(await store.opened(trx, id, clock.now()))) return false
    await recordAudit(trx, {
      accountId: who.actor.accountId,
      at: clock.now(),
      by: userAuthor(who),
      action: 'catalog.create',
      object: { type: 'catalog', id, name },
      before: null,
      after: { name, type: 'internal' },
    })
    return true
  })

async function createIn(
  { attachments }: Engine,
  parts: InternalParts,
  { who, draft }: { readonly who: Who; readonly draft: NewInternalCatalog },
): Promise<void> {
  if (!attachments?.kinds.has('own')) throw oneCatalogOnly()
  const { name } = draft
  const id = await reserve(parts, who.actor, draft)
  try {
    await attachments.attach({ kind: 'own', id, name, isNew: true })
  } catch (error) {
    await giveUp(parts, attachments, { id, name })
    throw error
  }
  if (await open(parts, who, { id, name })) return
  await giveUp(parts, attachments, { id, name })
  throw catalogMissing(name)
}

/** CATALOG-39 */
export async function createCatalog(
  parts: InternalParts,
  who: Who,
  draft: NewInternalCatalog,
): Promise<void> {
  requireCatalogName(draft.name)
  const { accountId } = who.actor
  if ((await parts.store.edition(accountId)) !== 'standard') throw notInEdition()
  try {
    await parts.useServiceEngine(accountId, (engine) => createIn(engine, parts, { who, draft }))
  } catch (error) {
    if (error instanceof EngineUnavailable) throw new AppError('Unavailable', error.message, { cause: error })
    throw error
  }
}
