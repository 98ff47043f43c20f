import { randomUUID } from 'node:crypto'
import type { Actor } from '../../../../kernel/actor.ts'
import { AppError } from '../../../../kernel/app-error.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import { foldedName } from '../../../../kernel/same-name.ts'
import type { Authority } from '../../../access/authority.ts'
import type { OwnerOfLabel } from '../labels.ts'
import type { StreamSender } from '../live-load.ts'
import { RECORD_READING } from '../stream-format.ts'
import type { createTargets, FindWarehouse, FoundTarget } from '../stream-target.ts'
import type { LiveTransactions } from './live-transactions.ts'
import type { TransactionAnswer } from './transaction-answer.ts'
import type { MostOpen } from './transaction-beginning-store.ts'
import type { BeginOptions } from './transaction-options.ts'
import type { TransactionStore } from './transaction-store.ts'

export interface BeginParts {
  readonly store: Pick<TransactionStore, 'begin'>
  readonly live: LiveTransactions
  readonly ownerOf: OwnerOfLabel
  readonly findTarget: ReturnType<typeof createTargets>
  readonly findWarehouse: FindWarehouse
  readonly authority: Pick<Authority, 'visible'>
  readonly clock: Clock
  readonly mostOpen?: MostOpen | undefined
}

const MOST_OPEN: MostOpen = { ofUser: 256, ofAccount: 1_024 }

/** Begins transactions: their label is taken, and nothing else of them is there yet. */
export function createBegin(parts: BeginParts) {
  const { store, live, clock, mostOpen = MOST_OPEN } = parts

  async function targetOf(actor: Actor, asked: BeginOptions): Promise<FoundTarget> {
    const { catalog, database, table, warehouse } = asked
    if (table !== null) return parts.findTarget(actor, { catalog, database, table }, warehouse)
    const seen = await parts.authority.visible(actor, { type: 'database', catalog })
    if (seen !== 'all' && !seen.has(foldedName(database)))
      throw new AppError('NotFound', `There is no database ${database}, or you may not see it.`)
    return { table: { catalog, database, name: '' }, warehouse: await parts.findWarehouse(actor, warehouse) }
  }

  return async function begin(sender: StreamSender, asked: BeginOptions): Promise<TransactionAnswer> {
    const beganAt = performance.now()
    const actor = await sender.now()
    const target = await targetOf(actor, asked)
    const taskId = randomUUID()
    const at = clock.now()
    live.open(taskId)
    try {
      for (;;) {
        const begun = await store.begin(
          {
            taskId,
            accountId: actor.accountId,
            userId: actor.userId,
            userName: actor.user,
            label: asked.label,
            ...target,
            part: { reading: RECORD_READING.json, columns: null },
            requestId: null,
            sizeBytes: 0,
            at,
            expiresAt: new Date(at.getTime() + asked.timeoutSeconds * 1_000),
            idleSeconds: asked.idleSeconds,
            tables: target.table.name ? [target.table.name] : [],
            isOfOneTable: !asked.isMulti,
          },
          mostOpen,
        )
        if (typeof begun === 'number')
          return { label: asked.label, transactionId: begun, ms: performance.now() - beganAt }
        if (begun !== 'taken')
          throw new AppError(
            'LimitReached',
            `${mostOpen[begun]} transactions are not over, the maximum of one ${begun === 'ofUser' ? 'user' : 'account'}. Commit some, or roll them back.`,
          )
        const owner = await parts.ownerOf({ accountId: actor.accountId, ...target.table }, asked.label)
        if (owner) throw owner
      }
    } catch (error) {
      live.close(taskId, new Error('The transaction did not begin.'))
      throw error
    }
  }
}
