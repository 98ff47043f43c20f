import {
  type ConnectionType,
  type EndpointStatus,
  type Input,
  LIMITS,
  type Output,
  type vpce,
  VPCE_MESSAGES,
} from '@boathouse/contract'
import type { Actor, Caller } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { userAuthor } from '../audit/author.ts'
import { createDecisions, type DecisionParts } from './decisions.ts'
import { noteChange, presented } from './endpoint-rows.ts'
import {
  countEndpoints,
  deleteEndpoint,
  type EndpointRow,
  endpointsAsked,
  endpointsOf,
  insertEndpoint,
  regionOf,
} from './store.ts'

type From = Caller & { readonly actor: Actor }

/** That the operator is shown at once. */
const MOST_ASKED = 500

/** The endpoints that request access by a private link, and the decisions of the operator. */
export function createVpcEndpoints(parts: DecisionParts) {
  const { db, network, approved, clock } = parts
  const { approve, reject, followCloud, rejectInCloud } = createDecisions(parts)

  async function approvedOf(accountId: string, type: ConnectionType): Promise<string[]> {
    const rows = await endpointsOf(db, accountId)
    return rows
      .filter(({ status, connection_type }) => status === 'available' && connection_type === type)
      .map(({ endpoint_id }) => endpoint_id)
  }

  return {
    async list({ accountId }: Actor): Promise<Output<typeof vpce.list>> {
      const [region, rows] = await Promise.all([regionOf(db, accountId), endpointsOf(db, accountId)])
      return { region, serviceName: network.serviceName, endpoints: rows.map(presented) }
    },

    /** IDs of those through which queries may come. */
    approvedForSql: (accountId: string) => approvedOf(accountId, 'sql'),

    /** IDs of those through which data may come. */
    approvedForStreaming: (accountId: string) => approvedOf(accountId, 'streaming'),

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
          addresses: '',
          request_seen_at: null,
        }
        if (!(await insertEndpoint(trx, row)))
          throw new AppError('NameTaken', `The endpoint ${draft.endpointId} is already in the list.`)
        if (count >= LIMITS.endpointsPerAccount)
          throw new AppError(
            'LimitReached',
            `An account has at most ${LIMITS.endpointsPerAccount} endpoints. Delete one that is no longer needed, then add this one.`,
          )
        const by = userAuthor(from)
        await noteChange(trx, row, { at: row.created_at, by, verb: 'create', before: null, after: row })
      })
    },

    async delete(from: From, endpointId: string): Promise<void> {
      const deleted = await db.transaction().execute(async (trx) => {
        const row = await deleteEndpoint(trx, from.actor.accountId, endpointId)
        if (!row) throw new AppError('NotFound', `There is no endpoint ${endpointId} in this account.`)
        const by = userAuthor(from)
        await noteChange(trx, row, { at: clock.now(), by, verb: 'delete', before: row, after: null })
        return row
      })
      await approved.changed()
      // Who requested what was never theirs has no say about its connection.
      if (deleted.status === 'available') await rejectInCloud(endpointId)
    },

    /** For the operator: of all accounts or one. */
    async asked(which: { account?: string | undefined; status?: EndpointStatus | undefined }) {
      const rows = await endpointsAsked(db, { ...which, limit: MOST_ASKED })
      return rows.map((row) => ({ account: row.account_id, ...presented(row) }))
    },

    approve,
    reject,
    followCloud,
  }
}

export type VpcEndpoints = ReturnType<typeof createVpcEndpoints>
