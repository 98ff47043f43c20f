import type { UseEngine } from '../../../engines/engine/engine.ts'
import type { Log } from '../../../kernel/log.ts'
import type { EffectKnown } from './ending.ts'
import type { QueryStore } from '../store.ts'

export interface EffectParts {
  readonly store: Pick<QueryStore, 'unknownEffects' | 'accountsWithUnknownEffects' | 'settle' | 'leaveUntold'>
  readonly useServiceEngine: UseEngine
  readonly log: Log
}

/**
 * Whether statements that were cut off took effect. An engine that can remembers a statement's id in the same transaction
 * as what it does, so the answer is certain as soon as the engine runs again; of one that cannot nobody ever knows it.
 */
export function createEffects({ store, useServiceEngine, log }: EffectParts) {
  /** Null when the engine does not remember. */
  const takenOf = (accountId: string, queryIds: readonly string[]) =>
    useServiceEngine(accountId, async ({ effects }) => (effects ? effects.tookEffect(queryIds) : null))

  async function settleAccount(accountId: string): Promise<void> {
    const unknown = await store.unknownEffects(accountId)
    if (unknown.length === 0) return
    const taken = await takenOf(accountId, unknown)
    if (!taken) return void (await store.leaveUntold(unknown))
    for (const queryId of unknown) await store.settle(queryId, taken.get(queryId) ?? null)
  }

  return {
    /** Of a statement that was lost just now; `unknown` when the engine cannot be asked yet. */
    async ask(accountId: string, queryId: string): Promise<Exclude<EffectKnown, null>> {
      try {
        const taken = await takenOf(accountId, [queryId])
        if (!taken) return 'untold'
        return taken.has(queryId) ? 'taken' : 'not taken'
      } catch (error) {
        log.warn({ err: error, accountId }, 'the effect of a statement cannot be asked for yet')
        return 'unknown'
      }
    },

    settleAccount,

    /** Every account that has statements of unknown effect; one that cannot be asked now is asked again later. */
    async settleAll(): Promise<void> {
      for (const accountId of await store.accountsWithUnknownEffects()) {
        await settleAccount(accountId).catch((error: unknown) =>
          log.warn({ err: error, accountId }, 'the effects of an account cannot be asked for yet'),
        )
      }
    },
  }
}

export type Effects = ReturnType<typeof createEffects>
