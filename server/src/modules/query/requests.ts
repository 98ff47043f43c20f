import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Submission } from './accepting/accepted-rows.ts'
import type { BegunRequest, LiveRequests } from './accepting/live-requests.ts'
import { type AnsweredBefore, idTaken, requestKey } from './answers/answered-before.ts'
import { againFor } from './answers/answers-again.ts'
import type { Listener } from './answers/request-answers.ts'
import type { Decider } from './gate/authorize-statement.ts'
import { inOpenAccount, type Requester } from './requester.ts'
import type { QueryStore } from './store.ts'

const isSame = (one: Submission, other: Submission): boolean =>
  one.sql === other.sql && JSON.stringify(one.values) === JSON.stringify(other.values)

export interface RequestParts {
  readonly live: Pick<LiveRequests, 'begin' | 'detach'>
  readonly answered: AnsweredBefore
  readonly store: Pick<QueryStore, 'findRequest'>
  readonly privileges: Decider
}

/**
 * Requests that their senders give an id, in front of the connections they run on: one that is sent again is attached to
 * or answered again, and never runs twice. The channel and the service's own work send such requests.
 */
export function createRequests({ live, answered, store, privileges }: RequestParts) {
  const running = new Map<string, BegunRequest>()

  async function attach({ request, ended }: BegunRequest, requester: Requester, listener: Listener) {
    const again = againFor(await requester.now(), privileges)
    const told = request.answers.attachLater(listener, again)
    return ended.then(told)
  }

  return {
    /**
     * Runs a request, or attaches to it when it runs, or answers it again when it has ended. Resolves after the last
     * answer; throws AppError when the request is refused as a whole.
     */
    async submit(someone: Requester, submission: Submission, listener: Listener): Promise<void> {
      const requester = inOpenAccount(someone)
      const actor = requester.known
      const { requestId } = submission
      const key = requestKey(actor, requestId)
      const known = running.get(key)
      if (known && (known.request.userId !== actor.userId || !isSame(known.request.submission, submission)))
        throw idTaken()
      if (known) return attach(known, requester, listener)
      // Nothing is awaited from here until it is known as running: two at the same moment cannot both begin it.
      const begun = live.begin(requester, submission, {
        listener,
        answerAgain: (statements) =>
          answered.answer(requester, { requestId, statements, values: submission.values }, (answer) =>
            begun.request.answers.publish(answer),
          ),
      })
      running.set(key, begun)
      try {
        await begun.ended
        if (begun.request.hasRun) answered.remember(actor, requestId, begun.request.answers.all())
      } finally {
        running.delete(key)
      }
    },

    /** Resolves when the request that was just submitted is written down, answered again or refused. */
    async begun(actor: Actor, requestId: string): Promise<void> {
      await running.get(requestKey(actor, requestId))?.begun
    },

    /** The channel closed: its listeners are removed, the runs continue. */
    detach: (listener: Listener): void => live.detach(listener),

    /** EDITOR-66, CHANNEL-27: stops a running request of this user and keeps its connection. */
    async kill(actor: Actor, requestId: string): Promise<{ stopped: boolean }> {
      const known = running.get(requestKey(actor, requestId))
      if (known?.request.userId === actor.userId) {
        await known.request.cancel()
        return { stopped: true }
      }
      const rows = await store.findRequest(actor.accountId, requestId)
      if (!rows.some((row) => row.user_id === actor.userId))
        throw new AppError('NotFound', 'There is no such statement of yours.')
      return { stopped: false }
    },
  }
}
