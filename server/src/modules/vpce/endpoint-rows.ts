import type { EndpointStatus, VpcEndpoint } from '@boathouse/contract'
import type { Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import type { Author } from '../audit/author.ts'
import { recordAudit } from '../audit/record.ts'
import type { EndpointRow } from './store.ts'

export const presented = (row: EndpointRow): VpcEndpoint => ({
  endpointId: row.endpoint_id,
  awsAccountId: row.aws_account_id,
  region: row.region,
  connectionType: row.connection_type as VpcEndpoint['connectionType'],
  createdAt: row.created_at.toISOString(),
  creator: row.creator,
  status: row.status as EndpointStatus,
  reason: row.reason,
  decidedAt: row.decided_at?.toISOString() ?? null,
  addresses: row.addresses,
  requestSeenAt: row.request_seen_at?.toISOString() ?? null,
})

const logged = ({ aws_account_id, region, connection_type, status, reason, addresses }: EndpointRow) => ({
  awsAccountId: aws_account_id,
  region,
  connectionType: connection_type,
  status,
  ...(reason === null ? {} : { reason }),
  ...(addresses === '' ? {} : { addresses }),
})

interface Change {
  readonly at: Date
  readonly by: Author
  readonly verb: 'create' | 'delete' | 'approve' | 'reject'
  readonly before: EndpointRow | null
  readonly after: EndpointRow | null
}

/** Writes down what became of an endpoint, in the transaction of the change. */
export const noteChange = (
  trx: Transaction<Schema>,
  row: EndpointRow,
  { at, by, verb, before, after }: Change,
): Promise<void> =>
  recordAudit(trx, {
    accountId: row.account_id,
    at,
    by,
    action: `private_link.${verb}`,
    object: { type: 'private_link', id: row.endpoint_id, name: row.endpoint_id },
    before: before && logged(before),
    after: after && logged(after),
  })
