import {
  type Input,
  type integration,
  type IntegrationRequest,
  LIMITS,
  MESSAGE_TYPES,
  type Output,
} from '@boathouse/contract'
import type { Kysely } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Schema } from '../../store/schema.ts'
import type { RateLimit } from '../attempt/rate-limit.ts'
import type { Mails } from '../mail/service.ts'
import { writeMessages } from '../message/service.ts'
import {
  addressOf,
  allRequests,
  answerRequest,
  findRequest,
  insertRequest,
  openRequests,
  type RequestRow,
  requestsOfUser,
} from './store.ts'

const MINUTE_MS = 60_000
/** Of one user: each is a mail to the operator. */
const REQUESTS = { free: 5, longestWaitMs: 10 * MINUTE_MS, pauseMs: 60 * MINUTE_MS }
const OWN_LISTED = 20
/** That the operator is shown at once. */
const MOST_LISTED = 200

export interface RequestParts {
  readonly db: Kysely<Schema>
  readonly mails: Pick<Mails, 'write'>
  readonly rateLimit: RateLimit
  /** Null: nobody is mailed, and the operator lists them. */
  readonly operatorEmail: string | null
  readonly clock: Clock
}

const presented = (row: RequestRow): IntegrationRequest => ({
  requestId: row.request_id,
  applicationName: row.application_name,
  useCase: row.use_case,
  link: row.link,
  createdAt: row.created_at.toISOString(),
  answer: row.answer,
  answeredAt: row.answered_at?.toISOString() ?? null,
})

const toOperator = (row: RequestRow) => ({
  request: row.request_id,
  account: row.account_id,
  user: row.user_name,
  application: row.application_name,
  createdAt: row.created_at.toISOString(),
  answeredAt: row.answered_at?.toISOString() ?? null,
})

/** Requests for integrations: from a user to the operator, and the answer back. */
export function createIntegrationRequests({ db, mails, rateLimit, operatorEmail, clock }: RequestParts) {
  return {
    async create(
      { accountId, userId, user }: Actor,
      { applicationName, useCase, link }: Input<typeof integration.request>,
    ): Promise<Output<typeof integration.request>> {
      await rateLimit.reserve({
        address: userId,
        refusal: 'You have sent several requests.',
        own: { key: `integration request of ${userId}`, budget: REQUESTS },
      })
      return db.transaction().execute(async (trx) => {
        if ((await openRequests(trx, accountId)) >= LIMITS.openRequestsPerAccount)
          throw new AppError(
            'LimitReached',
            `${LIMITS.openRequestsPerAccount} requests of your account wait for an answer. Send yours when one of them is answered.`,
          )
        const row = await insertRequest(trx, {
          account_id: accountId,
          user_id: userId,
          user_name: user,
          application_name: applicationName,
          use_case: useCase,
          link,
          created_at: clock.now(),
        })
        const details = { requestId: row.request_id, accountId, user, applicationName, useCase, link }
        if (operatorEmail !== null)
          await mails.write(trx, { to: operatorEmail, accountId, kind: 'integrationRequest', details })
        return { requestId: row.request_id }
      })
    },

    async own({ userId }: Actor): Promise<IntegrationRequest[]> {
      return (await requestsOfUser(db, userId, OWN_LISTED)).map(presented)
    },

    /** For the operator. */
    async list(isAnswered: boolean) {
      return (await allRequests(db, { isAnswered, limit: MOST_LISTED })).map(toOperator)
    },

    async show(requestId: number) {
      const row = await findRequest(db, requestId)
      if (!row) throw new AppError('NotFound', `There is no request ${requestId}.`)
      return { ...toOperator(row), useCase: row.use_case, link: row.link, answer: row.answer }
    },

    /** Once: the answer, its notification and its mail are one transaction. */
    answer: (requestId: number, answer: string) =>
      db.transaction().execute(async (trx) => {
        const at = clock.now()
        const row = await answerRequest(trx, requestId, { answer, answered_at: at })
        if (!row) throw new AppError('NotFound', `There is no request ${requestId} that waits for an answer.`)
        const { account_id: accountId, user_id: userId, application_name: applicationName } = row
        const email = userId === null ? null : await addressOf(trx, userId)
        if (userId !== null)
          await writeMessages(trx, {
            accountId,
            userIds: [userId],
            type: MESSAGE_TYPES.IntegrationAnswered,
            at,
          })
        if (email !== null)
          await mails.write(trx, {
            to: email,
            accountId,
            kind: 'integrationAnswer',
            details: { accountId, applicationName, answer },
          })
        return { ...toOperator(row), notified: userId !== null, mailedTo: email }
      }),
  }
}

export type IntegrationRequests = ReturnType<typeof createIntegrationRequests>
