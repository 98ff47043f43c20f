import { MESSAGE_TYPES } from '@boathouse/contract'
import type { Transaction } from 'kysely'
import type { Actor } from '../../../kernel/actor.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Schema } from '../../../store/schema.ts'
import { SERVICE } from '../../audit/author.ts'
import { recordAudit } from '../../audit/record.ts'
import { writeMessages } from '../../message/service.ts'
import type { PipeRow } from './pipe-row.ts'
import type { PipeStore } from './pipe-store.ts'

export interface PipeSuspendingParts {
  readonly store: Pick<PipeStore, 'suspend'>
  readonly actorOf: (userId: string) => Promise<Actor | undefined>
  readonly transaction: <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>
  /** Something of a pipe of this account is another by now. */
  readonly touch: (accountId: string) => void
  readonly clock: Clock
}

/** Nothing of a pipe can be loaded: it waits for somebody, and its owner is notified. */
export function createPipeSuspending({ store, actorOf, transaction, touch, clock }: PipeSuspendingParts) {
  return async function suspend(pipe: PipeRow, reason: string): Promise<void> {
    const { pipe_id: pipeId, account_id: accountId, name, user_id: userId } = pipe
    const isThere = (await actorOf(userId)) !== undefined
    await transaction(async (trx) => {
      if (!(await store.suspend(trx, pipeId, reason))) return
      const at = clock.now()
      if (isThere)
        await writeMessages(trx, { accountId, userIds: [userId], type: MESSAGE_TYPES.PipeSuspended, at })
      await recordAudit(trx, {
        accountId,
        at,
        by: SERVICE,
        action: 'pipe.suspend',
        object: { type: 'pipe', id: pipeId, name },
        before: { state: 'running' },
        after: { state: 'suspended', reason },
      })
    })
    touch(accountId)
  }
}

export type SuspendPipe = ReturnType<typeof createPipeSuspending>
