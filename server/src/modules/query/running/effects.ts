import type { EngineOf, UseEngineOf } from '../../../engines/engine/engine.ts'
import type { Log } from '../../../kernel/log.ts'
import type { EffectKnown } from './ending.ts'
import type { QueryStore } from '../store.ts'

export interface EffectParts {
  readonly store: Pick<QueryStore, 'unknownEffects' | 'enginesWithUnknownEffects' | 'settle' | 'leaveUntold'>
  readonly useEngine: UseEngineOf
  readonly log: Log
}

const keyOf = ({ accountId, engine }: EngineOf): string => `${accountId}/${engine ?? ''}`

/**
 * Whether statements that were cut off took effect. An engine that can remembers a statement's id in the same transaction
 * as what it does, so the answer is certain as soon as the engine runs again; an engine that cannot never knows it. The
 * engine that is asked is the one that was written down with the statement: another one would say that it did nothing.
 */
export function createEffects({ store, useEngine, log }: EffectParts) {
  /** Engines that could not be asked: that is logged once, until they answer. */
  const unasked = new Set<string>()

  /** Null when the engine does not remember. */
  const takenOf = (of: EngineOf, queryIds: readonly string[]) =>
    useEngine(of, async ({ effects }) => (effects ? effects.tookEffect(queryIds) : null))

  async function settleEngine(of: EngineOf): Promise<void> {
    const unknown = await store.unknownEffects(of)
    if (unknown.length === 0) return
    const taken = await takenOf(of, unknown)
    unasked.delete(keyOf(of))
    if (!taken) return void (await store.leaveUntold(unknown))
    for (const queryId of unknown) {
      const effect = taken.get(queryId) ?? null
      if (effect === 'untold') await store.leaveUntold([queryId])
      else await store.settle(queryId, effect)
    }
  }

  /** One that cannot be asked now, or is not configured any more, is asked again later. Others are not held up. */
  async function settleEach(engines: readonly EngineOf[]): Promise<void> {
    for (const of of engines)
      await settleEngine(of).catch((error: unknown) => {
        if (unasked.has(keyOf(of))) return
        unasked.add(keyOf(of))
        log.warn({ err: error, ...of }, 'the effects of statements cannot be asked for yet')
      })
  }

  return {
    /** Of a statement that was lost just now; `unknown` when its engine cannot be asked yet. */
    async ask(of: EngineOf, queryId: string): Promise<Exclude<EffectKnown, null>> {
      try {
        const taken = await takenOf(of, [queryId])
        const effect = taken ? taken.get(queryId) : 'untold'
        if (effect === 'untold') return effect
        return effect ? 'taken' : 'not taken'
      } catch (error) {
        log.warn({ err: error, ...of }, 'the effect of a statement cannot be asked for yet')
        return 'unknown'
      }
    },

    settleAccount: async (accountId: string): Promise<void> =>
      settleEach(await store.enginesWithUnknownEffects(accountId)),

    settleAll: async (): Promise<void> => settleEach(await store.enginesWithUnknownEffects()),
  }
}

export type Effects = ReturnType<typeof createEffects>
