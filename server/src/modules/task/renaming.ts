import { isSameName } from '@boathouse/contract'
import type { Outcome } from '../../engines/engine/outcome.ts'
import { AppError } from '../../kernel/app-error.ts'
import { SERVICE, userAuthor } from '../audit/author.ts'
import { recordAudit } from '../audit/record.ts'
import { createLooking } from '../schema/objects/looking.ts'
import type { AnnounceChange } from './refresh-end.ts'
import { accessOf, pathOf, type TaskParts, type Who } from './task-parts.ts'
import type { RenamedView, ViewRow } from './view-store.ts'

const MOST_UNFINISHED = 100

const taken = (view: ViewRow, name: string) =>
  new AppError(
    'NameTaken',
    `${name} already exists in ${view.catalog}.${view.database}. Choose another name.`,
  )

const busy = (view: ViewRow) =>
  new AppError(
    'Conflict',
    `The materialized view ${pathOf(view)} is being refreshed, renamed or dropped. Wait for the end of that.`,
  )

/**
 * Renames materialized views. Both names are stored before the table is renamed: after a crash, the engine says which of
 * them its table has.
 */
export function createRenaming(parts: TaskParts, announceChange: AnnounceChange) {
  const { renames, known, transaction, clock, log } = parts
  const look = createLooking({ useServiceEngine: parts.useServiceEngine })
  /** By this server, now. */
  const beingRenamed = new Set<string>()

  const isTable = (view: ViewRow, name: string): Promise<boolean> =>
    look({ accountId: view.account_id, user: '' }, async ({ lists }) => {
      const { catalog, database } = view
      return (await lists.objectNamed({ catalog, database }, { type: 'table', name })) !== null
    })

  const isFree = (view: ViewRow, name: string): Promise<boolean> =>
    look({ accountId: view.account_id, user: '' }, async ({ lists }) => {
      const { catalog, database } = view
      for (const type of ['table', 'view'] as const)
        if ((await lists.objectNamed({ catalog, database }, { type, name })) !== null) return false
      return true
    })

  const renameTable = (view: RenamedView): Promise<Outcome> =>
    look({ accountId: view.account_id, user: '' }, (looking) => {
      const { catalog, database, name, renaming_to } = view
      const sql = looking.statements().rename({ type: 'table', catalog, database, name }, renaming_to)
      return looking.run(sql, { takenFor: null, authorize: 'all', maxRows: 1 })
    })

  async function revert(view: ViewRow): Promise<void> {
    await renames.notRenamed(view.view_id)
    known.forget(view.account_id)
  }

  /** Its table has the new name: it follows, with its grants. */
  async function finish(view: RenamedView, who: Who | null): Promise<void> {
    const { renaming_to: name } = view
    await transaction(async (trx) => {
      await renames.renamed(trx, view.view_id, name)
      await parts.forgetGrants(trx, view.account_id, accessOf({ ...view, name }))
      await parts.renameGrants(trx, view.account_id, { object: accessOf(view), to: name })
      await recordAudit(trx, {
        accountId: view.account_id,
        at: clock.now(),
        by: who ? userAuthor(who) : SERVICE,
        action: 'materialized_view.rename',
        object: { type: 'materialized_view', id: view.view_id, name: pathOf(view) },
        before: { name: view.name },
        after: { name },
      })
    })
    known.forget(view.account_id)
    await announceChange(view)
  }

  async function renameAlone(who: Who, view: RenamedView): Promise<void> {
    const outcome = await renameTable(view).catch(async (error: unknown) => {
      // Nothing was run.
      await revert(view)
      throw error
    })
    if (outcome.state === 'lost')
      throw new AppError(
        'Interrupted',
        `The engine ended while it renamed ${pathOf(view)}. Its name is known as soon as the engine is back.`,
      )
    if (outcome.state !== 'finished') {
      await revert(view)
      const why = outcome.state === 'failed' ? outcome.error.message : 'The engine is too busy.'
      throw new AppError('QueryFailed', `${pathOf(view)} was not renamed. ${why}`)
    }
    await finish(view, who)
  }

  return {
    /** The caller has checked the privilege. */
    async rename(who: Who, view: ViewRow, name: string): Promise<void> {
      if (name === view.name) return
      if (!isSameName(name, view.name) && !(await isFree(view, name))) throw taken(view, name)
      beingRenamed.add(view.view_id)
      try {
        const begun = await transaction((trx) => renames.beginRename(trx, view, name))
        if (begun === 'taken') throw taken(view, name)
        if (begun === 'busy') throw busy(view)
        known.forget(view.account_id)
        await renameAlone(who, { ...view, renaming_to: name })
      } finally {
        beingRenamed.delete(view.view_id)
      }
    },

    /** Finishes the renames that a server or an engine did not live to finish. */
    async finishRenames(): Promise<void> {
      for (const view of await renames.renaming(MOST_UNFINISHED)) {
        if (beingRenamed.has(view.view_id)) continue
        try {
          if (await isTable(view, view.renaming_to)) await finish(view, null)
          else await revert(view)
        } catch (error) {
          log.warn(
            { err: error, viewId: view.view_id },
            'it is not known yet which name a materialized view has',
          )
        }
      }
    },
  }
}
