import { randomUUID } from 'node:crypto'
import {
  type CatalogField,
  fieldsOf,
  LIMITS,
  type NewCatalog,
  objectOf,
  SECRET_FIELDS,
} from '@boathouse/contract'
import {
  type ExternalCatalog,
  type FolderCatalog,
  FolderRefused,
  type FolderReport,
} from '../../../engines/engine/attachments.ts'
import { EngineUnavailable } from '../../../engines/engine/engine.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { userAuthor } from '../../audit/author.ts'
import { recordAudit } from '../../audit/record.ts'
import type { Who } from '../changes/apply-change.ts'
import { announceChange } from './catalog-news.ts'
import { catalogTaken, isReservedCatalog } from './catalogs.ts'
import { draftOf, folderOf, outsideOf, sortOfDraft } from './external-definitions.ts'
import { type ExternalParts, followInEngine } from './external-parts.ts'
import { isNameTaken } from './external-store.ts'
import { isForClusters } from './given-catalogs.ts'
import { attachmentsFor, cannotRead, isAttached, isRead, notRead, overlap } from './folder-catalogs.ts'
import { secretsPlace } from './secrets-place.ts'

/** What the engine says of a catalog before it is kept. Throws when it could not be read. */
export async function tryOut(
  { useServiceEngine, openFolders, outside }: ExternalParts,
  accountId: string,
  draft: NewCatalog,
): Promise<FolderReport> {
  const id = randomUUID()
  // While it is tried, an engine reads it as if it were kept.
  const isOutside = outsideOf(draft.metastoreType, id, draft.name) !== null
  const forget = isOutside ? outside.lend(accountId, id, draft) : () => undefined
  try {
    return await useServiceEngine(accountId, (engine) =>
      attachmentsFor(engine, sortOfDraft(draft)).tryOut(draftOf(id, draft, openFolders(accountId))),
    )
  } catch (error) {
    if (error instanceof FolderRefused) throw notRead(draft, error.message)
    if (error instanceof EngineUnavailable) throw new AppError('Unavailable', error.message, { cause: error })
    throw error
  } finally {
    forget()
  }
}

/** Folders and buckets are read here or not made; the definitions of others are kept for an engine that reads them. */
const isMadeToBeRead = async (
  { useServiceEngine }: ExternalParts,
  accountId: string,
  draft: NewCatalog,
): Promise<boolean> =>
  draft.metastoreType === 'folder' ||
  draft.metastoreType === 'bucket' ||
  (isAttached(sortOfDraft(draft)) &&
    useServiceEngine(accountId, async (engine) => isRead(engine, sortOfDraft(draft))))

/** A file belongs to one catalog, so that it is clear whose privileges open it. */
async function requireApart(
  { store, openFolders }: ExternalParts,
  accountId: string,
  wanted: FolderCatalog,
): Promise<void> {
  const others = (await store.list(accountId)).filter(({ metastore }) => metastore === 'folder')
  const other = others.find((row) => overlap(folderOf(row, openFolders(accountId)), wanted))
  if (other)
    throw new AppError(
      'Conflict',
      `The catalog ${other.name} shows the folder ${other.settings['folder']}, which contains this folder or is inside it. Drop that catalog, or choose another folder.`,
    )
}

/** The values of a draft that are secret, or those that are not. */
const valuesOf = (draft: NewCatalog, isSecret: boolean): Record<string, string> =>
  Object.fromEntries(
    fieldsOf(draft.metastoreType, draft.access)
      .filter((field: CatalogField) => SECRET_FIELDS.has(field) === isSecret)
      .map((field) => [field, draft[field]]),
  )

interface Added {
  readonly id: string
  readonly draft: NewCatalog
  /** Of one that an engine can have; null for others. */
  readonly definition: ExternalCatalog | null
}

async function keep(parts: ExternalParts, who: Who, { id, draft, definition }: Added): Promise<void> {
  const { store, transaction, sealer, forgetGrants, clock } = parts
  const { accountId, user } = who.actor
  const { name, description, metastoreType, access } = draft
  await transaction(async (trx) => {
    if ((await store.countAlone(trx, accountId)) >= LIMITS.catalogsPerAccount)
      throw new AppError(
        'LimitReached',
        `An account has at most ${LIMITS.catalogsPerAccount} external catalogs. Drop one that is no longer needed, then create this one.`,
      )
    if (await isNameTaken(trx, accountId, name)) throw catalogTaken(name)
    if (definition?.kind === 'folder') await requireApart(parts, accountId, definition)
    await forgetGrants(trx, accountId, objectOf('catalog', { catalog: name }))
    await store.insert(trx, {
      catalog_id: id,
      account_id: accountId,
      name,
      description,
      metastore: metastoreType,
      settings: { access, ...valuesOf(draft, false) },
      secrets: sealer.seal(JSON.stringify(valuesOf(draft, true)), secretsPlace(id)),
      created_by: user,
      created_at: clock.now(),
    })
    await recordAudit(trx, {
      accountId,
      at: clock.now(),
      by: userAuthor(who),
      action: 'catalog.create',
      object: { type: 'catalog', id, name },
      before: null,
      after: { name, metastore: metastoreType, ...valuesOf(draft, false) },
    })
  })
}

/** CATALOG-36: two names that differ in case only would be mistaken. */
export async function addCatalog(
  parts: ExternalParts,
  who: Who,
  draft: NewCatalog,
): Promise<{ notice: string }> {
  const { accountId } = who.actor
  if (isReservedCatalog(draft.name)) throw catalogTaken(draft.name)
  const id = randomUUID()
  const definition = (await isMadeToBeRead(parts, accountId, draft))
    ? draftOf(id, draft, parts.openFolders(accountId))
    : null
  if (definition) await tryOut(parts, accountId, draft)
  await keep(parts, who, { id, draft, definition })
  if (definition) await followInEngine(parts, accountId, { catalog: definition, change: 'attach' })
  const whyNotInClusters = await parts.followInClusters(accountId, draft.name)
  await announceChange(parts, accountId, { catalog: draft.name })
  if (definition) return { notice: (isForClusters(draft.metastoreType) && whyNotInClusters) || '' }
  return parts.useServiceEngine(accountId, async (engine) => ({
    notice: cannotRead(engine, sortOfDraft(draft)),
  }))
}
