import type { Actor } from '../../../kernel/actor.ts'
import { type Decider, whyNoLonger } from '../gate/authorize-statement.ts'
import type { StatementAnswer } from './answer.ts'

/** An answer of before, as it may be sent again. */
export type Again = (answer: StatementAnswer) => Promise<StatementAnswer>

/** Whether it took effect is not said either: that is in the history, which needs no right to the table. */
function withheld(answer: StatementAnswer, message: string): StatementAnswer {
  return {
    ...answer,
    state: 'failed',
    code: 'NoPermission',
    message: `You no longer have access to the result of this statement. ${message}`,
    errorKind: null,
    errorDetail: undefined,
    errorOffset: null,
    result: null,
    rowsBefore: 0,
    progress: null,
    notice: '',
    isKept: false,
  }
}

/**
 * Answers are for those who may run the statement now, whatever they were allowed when it ran: what it needed is checked
 * again. Of a statement that they may no longer run, that is the only answer.
 */
export const againFor =
  (actor: Actor, privileges: Decider): Again =>
  async (answer) => {
    if (answer.state === 'running' || answer.code === 'NoPermission') return answer
    const message = await whyNoLonger(actor, answer.needed, privileges)
    return message === null ? answer : withheld(answer, message)
  }
