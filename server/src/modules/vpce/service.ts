import {
  type ConnectionType,
  type EndpointStatus,
  type Input,
  LIMITS,
  type Output,
  type VpcEndpoint,
  type vpce,
  VPCE_MESSAGES,
} from '@boathouse/contract'
import type { Kysely, Transaction } from 'kysely'
import type { Actor, Caller } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { errorCode } from '../../store/error-code.ts'
import type { Schema } from '../../store/schema.ts'
import { type Author, OPERATOR, userAuthor } from '../audit/author.ts'
import { recordAudit } from '../audit/record.ts'
import {
  countEndpoints,
  decideEndpoint,
  deleteEndpoint,
  type EndpointRow,
  endpointsAsked,
  endpointsOf,
  insertEndpoint,
  lockEndpoint,
  regionOf,
} from './store.ts'

type From = Caller & { readonly actor: Actor }

const UNIQUE_VIOLATION = '23505'
/** That the operator is shown at once. */
const MOST_ASKED = 500

const presented = (row: EndpointRow): VpcEndpoint => ({
  endpointId: row.endpoint_id,
  awsAccountId: row.aws_account_id,
  region: row.region,
  connectionType: row.connection_type as VpcEndpoint['connectionType'],
  createdAt: row.created_at.toISOString(),
  creator: row.creator,
  status: row.status as EndpointStatus,
  reason: row.reason,
  decidedAt: row.decided_at?.toISOString() ?? null,
})

const logged = ({ aws_account_id, region, connection_type, status, reason }: EndpointRow) => ({
  awsAccountId: aws_account_id,
  region,
  connectionType: connection_type,
  status,
  ...(reason === null ? {} : { reason }),
})

interface Change {
  readonly by: Author
  readonly verb: 'create' | 'delete' | 'approve' | 'reject'
  readonly before: EndpointRow | null
  readonly after: EndpointRow | null
}

/** The endpoints that request access by a private link, and the decisions of the operator. */
export function createVpcEndpoints({ db, clock }: { db: Kysely<Schema>; clock: Clock }) {
  const note = (trx: Transaction<Schema>, row: EndpointRow, { by, verb, before, after }: Change) =>
    recordAudit(trx, {
      accountId: row.account_id,
      at: clock.now(),
      by,
      action: `private_link.${verb}`,
      object: { type: 'private_link', id: row.endpoint_id, name: row.endpoint_id },
      before: before && logged(before),
      after: after && logged(after),
    })

  async function decide(
    accountId: string,
    endpointId: string,
    decision: { readonly verb: 'approve' | 'reject'; readonly reason: string | null },
  ) {
    const { verb, reason } = decision
    const status = verb === 'approve' ? 'available' : 'rejected'
    return db.transaction().execute(async (trx) => {
      const before = await lockEndpoint(trx, accountId, endpointId)
      if (!before)
        throw new AppError(
          'NotFound',
          `The account ${accountId} has not requested the endpoint ${endpointId}.`,
        )
      if (before.status === status)
        throw new AppError('Conflict', `The endpoint ${endpointId} of ${accountId} is already ${status}.`)
      const after = await decideEndpoint(trx, before, { status, reason, decided_at: clock.now() })
      await note(trx, after, { by: OPERATOR, verb, before, after })
      return { account: accountId, ...presented(after) }
    })
  }

  async function approved(accountId: string, type: ConnectionType): Promise<string[]> {
    const rows = await endpointsOf(db, accountId)
    return rows
      .filter(({ status, connection_type }) => status === 'available' && connection_type === type)
      .map(({ endpoint_id }) => endpoint_id)
  }

  return {
    async list({ accountId }: Actor): Promise<Output<typeof vpce.list>> {
      const [region, rows] = await Promise.all([regionOf(db, accountId), endpointsOf(db, accountId)])
      return { region, endpoints: rows.map(presented) }
    },

    /** IDs of those through which queries may come. */
    approvedForSql: (accountId: string) => approved(accountId, 'sql'),

    /** IDs of those through which data may come. */
    approvedForStreaming: (accountId: string) => approved(accountId, 'streaming'),

    async create(from: From, draft: Input<typeof vpce.create>): Promise<void> {
      const { accountId, user } = from.actor
      const own = await regionOf(db, accountId)
      if (draft.region !== own) throw new AppError('BadInput', VPCE_MESSAGES.otherRegion(own, draft.region))
      await db.transaction().execute(async (trx) => {
        const count = await countEndpoints(trx, accountId)
        const row: EndpointRow = {
          account_id: accountId,
          endpoint_id: draft.endpointId,
          aws_account_id: draft.awsAccountId,
          region: draft.region,
          connection_type: draft.connectionType,
          creator: user,
          created_at: clock.now(),
          status: 'pending',
          reason: null,
          decided_at: null,
        }
        if (!(await insertEndpoint(trx, row)))
          throw new AppError('NameTaken', `The endpoint ${draft.endpointId} is already in the list.`)
        if (count >= LIMITS.endpointsPerAccount)
          throw new AppError(
            'LimitReached',
            `An account has at most ${LIMITS.endpointsPerAccount} endpoints. Delete one that is no longer needed, then add this one.`,
          )
        await note(trx, row, { by: userAuthor(from), verb: 'create', before: null, after: row })
      })
    },

    delete: (from: From, endpointId: string): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const row = await deleteEndpoint(trx, from.actor.accountId, endpointId)
        if (!row) throw new AppError('NotFound', `There is no endpoint ${endpointId} in this account.`)
        await note(trx, row, { by: userAuthor(from), verb: 'delete', before: row, after: null })
      }),

    /** For the operator: of all accounts or one. */
    async asked(which: { account?: string | undefined; status?: EndpointStatus | undefined }) {
      const rows = await endpointsAsked(db, { ...which, limit: MOST_ASKED })
      return rows.map((row) => ({ account: row.account_id, ...presented(row) }))
    },

    async approve(accountId: string, endpointId: string) {
      try {
        return await decide(accountId, endpointId, { verb: 'approve', reason: null })
      } catch (error) {
        if (errorCode(error) !== UNIQUE_VIOLATION) throw error
        throw new AppError(
          'Conflict',
          `The endpoint ${endpointId} is already used by another account. Reject it there first.`,
        )
      }
    },

    reject: (accountId: string, endpointId: string, reason: string) =>
      decide(accountId, endpointId, { verb: 'reject', reason }),
  }
}

export type VpcEndpoints = ReturnType<typeof createVpcEndpoints>
