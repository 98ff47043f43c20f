import { createHash } from 'node:crypto'
import type { BoundValues } from '@boathouse/contract'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { BoundedMap } from '../../../kernel/bounded-map.ts'
import type { Log } from '../../../kernel/log.ts'
import { jsonText } from '../../../store/json-text.ts'
import { keptText } from '../accepting/accepted-rows.ts'
import type { AnalysedStatement } from '../analysis/analysed-text.ts'
import type { Decider } from '../gate/authorize-statement.ts'
import type { Requester } from '../requester.ts'
import type { Effects } from '../running/effects.ts'
import { keptValues } from '../sessions/named-values.ts'
import type { StatementRow } from '../statement-row.ts'
import type { QueryStore } from '../store.ts'
import type { StatementAnswer } from './answer.ts'
import { againFor } from './answers-again.ts'
import type { Listener } from './request-answers.ts'
import { storedAnswers } from './stored-answers.ts'

/** Finished answers are cached up to this size, so that a request sent again gets its rows again. */
const RECENT_ANSWER_BYTES = 64 * 1024 * 1024

/** Of an answer without its rows and words, and of a column. */
const ANSWER_BYTES = 2048
const COLUMN_BYTES = 256

function answerBytes({ message, result }: StatementAnswer): number {
  const columns = COLUMN_BYTES * (result?.columns.length ?? 0)
  const rows = (result?.rows ?? []).reduce(
    (sum, row) => sum + row.reduce((n, cell) => n + 2 * (cell?.length ?? 4), 16),
    0,
  )
  return ANSWER_BYTES + 2 * message.length + columns + rows
}

const sizeOf = (answers: readonly StatementAnswer[]): number =>
  answers.reduce((total, answer) => total + answerBytes(answer), 0)

/** A request id is unique in its account. */
export const requestKey = ({ accountId }: Pick<Actor, 'accountId'>, requestId: string): string =>
  `${accountId}/${requestId}`

export const idTaken = () => new AppError('Conflict', 'This request id belongs to another request.')

/** Whether the rows were written for this text and these values. Half of a surrogate pair is stored as another character. */
const areOf = (
  { statements, values }: SentRequest,
  rows: readonly Pick<StatementRow, 'sql' | 'sql_hash' | 'bound_values'>[],
): boolean =>
  statements.length === rows.length &&
  rows.every(({ sql, sql_hash, bound_values }, at) => {
    const statement = statements[at]
    if (!statement || keptValues(statement, values) !== bound_values) return false
    const text = keptText(statement)
    // Of a text that was shortened, the hash of the whole is kept.
    if (sql_hash) return createHash('sha256').update(text).digest().equals(sql_hash)
    return jsonText(text) === jsonText(sql)
  })

/** A request that may have been sent before. */
export interface SentRequest {
  readonly requestId: string
  readonly statements: readonly AnalysedStatement[]
  readonly values: BoundValues | undefined
}

export interface AnsweredBeforeParts {
  readonly store: Pick<QueryStore, 'findRequest'>
  readonly effects: Pick<Effects, 'settleAccount'>
  readonly privileges: Decider
  readonly log: Log
}

/** Answers requests that have ended from what is cached and stored, so that none runs twice. */
export function createAnsweredBefore({ store, effects, privileges, log }: AnsweredBeforeParts) {
  const recent = new BoundedMap<readonly StatementAnswer[]>(RECENT_ANSWER_BYTES)

  /** While the engine cannot be asked whether a write took effect, the answer says that it is not known. */
  async function settledAnswers(accountId: string, { requestId, statements }: Omit<SentRequest, 'values'>) {
    await effects
      .settleAccount(accountId)
      .catch((error: unknown) =>
        log.warn({ err: error }, 'the effect of a statement cannot be asked for yet'),
      )
    return storedAnswers(await store.findRequest(accountId, requestId), statements)
  }

  return {
    remember(actor: Actor, requestId: string, answers: readonly StatementAnswer[]): void {
      recent.set(requestKey(actor, requestId), answers, sizeOf(answers))
    },

    /** False when the request was never written; throws when it is another one of the same id. */
    async answer(requester: Requester, request: SentRequest, listener: Listener): Promise<boolean> {
      const { requestId, statements } = request
      const actor = await requester.now()
      const rows = await store.findRequest(actor.accountId, requestId)
      if (rows.length === 0) return false
      if (rows.some((row) => row.user_id !== actor.userId) || !areOf(request, rows)) throw idTaken()
      const answers = rows.some((row) => row.effect === 'unknown')
        ? await settledAnswers(actor.accountId, request)
        : (recent.get(requestKey(actor, requestId)) ?? storedAnswers(rows, statements))
      const again = againFor(actor, privileges)
      for (const answer of answers) listener(await again(answer))
      return true
    },
  }
}

export type AnsweredBefore = ReturnType<typeof createAnsweredBefore>
