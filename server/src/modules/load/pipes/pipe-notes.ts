import { userAuthor } from '../../audit/author.ts'
import { recordAudit } from '../../audit/record.ts'
import type { PipeActionParts } from './pipe-actions.ts'
import type { PipeCreationParts, Who } from './pipe-creation.ts'
import type { PipeRow } from './pipe-row.ts'

/** Changes of pipes, with their entries in the audit log. */
export function createPipeNotes({ db, store, touch, clock }: PipeActionParts) {
  const transaction: PipeCreationParts['transaction'] = (work) => db.transaction().execute(work)

  /** In one transaction with its entry in the audit log. */
  async function change(
    who: Who,
    row: PipeRow,
    {
      verb,
      ...changed
    }: { verb: string } & Partial<
      Pick<PipeRow, 'state' | 'reason' | 'last_error' | 'next_poll_at' | 'properties'>
    >,
  ): Promise<void> {
    const { state, properties } = changed
    await transaction(async (trx) => {
      await store.change(trx, row.pipe_id, changed)
      await recordAudit(trx, {
        accountId: row.account_id,
        at: clock.now(),
        by: userAuthor(who),
        action: `pipe.${verb}`,
        object: { type: 'pipe', id: row.pipe_id, name: row.name },
        before: { ...(state && { state: row.state }), ...(properties && { ...row.properties }) },
        after: { ...(state && { state }), ...properties },
      })
    })
    touch(row.account_id)
  }

  /** What somebody did with files, in the audit log. */
  async function note(
    who: Who,
    row: PipeRow,
    { verb, ...after }: { verb: string; file?: string; files?: number },
  ): Promise<void> {
    await transaction((trx) =>
      recordAudit(trx, {
        accountId: row.account_id,
        at: clock.now(),
        by: userAuthor(who),
        action: `pipe.${verb}`,
        object: { type: 'pipe', id: row.pipe_id, name: row.name },
        before: null,
        after,
      }),
    )
    touch(row.account_id)
  }

  /** Looked at as soon as possible. */
  const soon = async ({ pipe_id, account_id }: PipeRow): Promise<void> => {
    await store.change(db, pipe_id, { next_poll_at: clock.now() })
    touch(account_id)
  }

  return { change, note, soon }
}
