import type { Actor } from '../../../../kernel/actor.ts'
import { seesAll } from '../../tasks.ts'
import type { TransactionNames } from './transaction-options.ts'
import type { TransactionStore } from './transaction-store.ts'

/** What is known of a label. */
interface LabelState {
  readonly state: 'PREPARE' | 'PREPARED' | 'VISIBLE' | 'ABORTED' | 'UNKNOWN'
  readonly reason: string
}

/** For programs that ask what became of a label. */
export function createLabelStates({ store }: { readonly store: Pick<TransactionStore, 'newest'> }) {
  /** Of any load that somebody may see. */
  return async function stateOf(
    actor: Actor,
    { catalog, database, label }: TransactionNames,
  ): Promise<LabelState> {
    const row = await store.newest({ accountId: actor.accountId, catalog, database }, label)
    if (!row || (row.user_id !== actor.userId && !seesAll(actor))) return { state: 'UNKNOWN', reason: '' }
    const reason = row.error
    if (row.state === 'finished') return { state: 'VISIBLE', reason }
    if (row.state === 'failed' || row.state === 'cancelled') return { state: 'ABORTED', reason }
    return { state: row.prepared_at === null ? 'PREPARE' : 'PREPARED', reason: '' }
  }
}
