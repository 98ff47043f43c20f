import type { Kysely } from 'kysely'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { PrivateLinkNetwork } from '../../providers/private-link/private-link.ts'
import { errorCode } from '../../store/error-code.ts'
import type { Schema } from '../../store/schema.ts'
import { OPERATOR } from '../audit/author.ts'
import { requireAddresses, requireOwnAddresses } from './addresses.ts'
import type { ApprovedEndpoints } from './approved.ts'
import { acceptInCloud, askCloud } from './cloud.ts'
import { noteChange, presented } from './endpoint-rows.ts'
import {
  decideEndpoint,
  type EndpointRow,
  endpointsOf,
  isRequestedElsewhere,
  lockApprovals,
  lockEndpoint,
  seeRequest,
} from './store.ts'

export interface DecisionParts {
  readonly db: Kysely<Schema>
  readonly network: PrivateLinkNetwork
  readonly approved: ApprovedEndpoints
  /** Something listens for clients of private links: from where they come must be known. */
  readonly isListening: boolean
  readonly clock: Clock
  readonly log: Log
}

interface Verdict {
  readonly verb: 'approve' | 'reject'
  readonly reason: string | null
  readonly addresses: string
}

const UNIQUE_VIOLATION = '23505'

function required(row: EndpointRow | undefined, accountId: string, endpointId: string): EndpointRow {
  if (row) return row
  throw new AppError('NotFound', `The account ${accountId} has not requested the endpoint ${endpointId}.`)
}

/** What the operator decides on, and what follows from it here and in the cloud. */
export function createDecisions({ db, network, approved, isListening, clock, log }: DecisionParts) {
  async function decide(accountId: string, endpointId: string, { verb, reason, addresses }: Verdict) {
    const status = verb === 'approve' ? 'available' : 'rejected'
    const at = clock.now()
    const decided = await db.transaction().execute(async (trx) => {
      await lockApprovals(trx)
      const before = required(await lockEndpoint(trx, accountId, endpointId), accountId, endpointId)
      if (before.status === status && before.addresses === addresses)
        throw new AppError('Conflict', `The endpoint ${endpointId} of ${accountId} is already ${status}.`)
      if (addresses !== '') await requireOwnAddresses(trx, accountId, addresses)
      const after = await decideEndpoint(trx, before, { status, reason, addresses, decided_at: at })
      await noteChange(trx, after, { at, by: OPERATOR, verb, before, after })
      return { account: accountId, ...presented(after) }
    })
    await approved.changed()
    return decided
  }

  /** By its clients' addresses, or by what the cloud says. Where nothing listens, an approval is a decision alone. */
  function addressesFor(given: string | undefined): string {
    if (network.knowsBy === 'endpoint') {
      if (given === undefined) return ''
      throw new AppError('BadInput', 'The cloud says which endpoint a client came through: omit --addresses.')
    }
    return given === undefined && !isListening ? '' : requireAddresses(given)
  }

  /** It gives no access here any more; what the cloud still lets through is rejected again by `followCloud`. */
  const rejectInCloud = (endpointId: string): Promise<void> =>
    askCloud((stop) => network.reject([endpointId], stop)).catch((error: unknown) =>
      log.warn({ err: error, endpointId }, 'a private endpoint was not rejected in the cloud yet'),
    )

  /** Open in the cloud and not approved here, when it was looked last: an approval is accepted there first. */
  let strays: ReadonlySet<string> = new Set()

  return {
    rejectInCloud,

    async approve(accountId: string, endpointId: string, given?: string) {
      const addresses = addressesFor(given)
      const asked = (await endpointsOf(db, accountId)).find((row) => row.endpoint_id === endpointId)
      await acceptInCloud(network, required(asked, accountId, endpointId))
      try {
        return await decide(accountId, endpointId, { verb: 'approve', reason: null, addresses })
      } catch (error) {
        if (errorCode(error) !== UNIQUE_VIOLATION) throw error
        throw new AppError(
          'Conflict',
          `The endpoint ${endpointId} is already used by another account. Reject it there first.`,
        )
      }
    },

    async reject(accountId: string, endpointId: string, reason: string) {
      const decided = await decide(accountId, endpointId, { verb: 'reject', reason, addresses: '' })
      // Somebody may have requested what is not theirs: its owner's connection stays.
      if (!(await isRequestedElsewhere(db, accountId, endpointId))) await rejectInCloud(endpointId)
      return decided
    },

    /** Notes whose requests have arrived, and closes in the cloud what is not approved here. */
    async followCloud(): Promise<void> {
      const connections = await askCloud((stop) => network.connections(stop))
      if (connections === null) return
      for (const { endpointId, ownerId, isPending, isOpen } of connections)
        if (isPending || isOpen) await seeRequest(db, { endpointId, ownerId, at: clock.now() })
      const open = connections.filter(({ isOpen }) => isOpen).map(({ endpointId }) => endpointId)
      const before = strays
      strays = new Set(open.filter((endpointId) => approved.accountBehind(endpointId) === null))
      for (const endpointId of strays) if (before.has(endpointId)) await rejectInCloud(endpointId)
    },
  }
}
