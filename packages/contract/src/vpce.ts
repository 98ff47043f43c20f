import { z } from 'zod/mini'
import { defineCall } from './call.ts'

export const VPCE_MESSAGES = {
  endpointMissing: 'Please enter endpoint ID',
  endpointFormat: 'Enter vpce- and 8 to 17 hex digits, for example vpce-0a1b2c3d4e5f67890',
  accountMissing: 'Please enter AWS account ID',
  accountFormat: 'Enter the 12 digits of the AWS account ID',
  regionMissing: 'Please enter the region of the endpoint',
  regionFormat: 'Use lower-case letters, digits and dashes, for example eu-west-1',
  otherRegion: (own: string, other: string) =>
    `The endpoint must be in the same region as this account, ${own}. You entered ${other}.`,
  notReceived: (endpointId: string) =>
    `It seems that we have not received a connection request from your VPC endpoint ${endpointId} yet.`,
} as const

export const VpcEndpointId = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, VPCE_MESSAGES.endpointMissing),
    z.regex(/^vpce-[0-9a-f]{8,17}$/, VPCE_MESSAGES.endpointFormat),
  )

export const AwsAccountId = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, VPCE_MESSAGES.accountMissing),
    z.regex(/^\d{12}$/, VPCE_MESSAGES.accountFormat),
  )

export const EndpointRegion = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, VPCE_MESSAGES.regionMissing),
    z.regex(/^[a-z0-9][a-z0-9-]{0,62}$/, VPCE_MESSAGES.regionFormat),
  )

export const ConnectionType = z.enum(['sql', 'streaming'])
export type ConnectionType = z.infer<typeof ConnectionType>

/** Only the operator of the service leads from one to another. */
const ENDPOINT_STATUSES = ['pending', 'available', 'rejected'] as const
export const EndpointStatus = z.enum(ENDPOINT_STATUSES)
export type EndpointStatus = z.infer<typeof EndpointStatus>

export const VpcEndpoint = z.object({
  endpointId: z.string(),
  awsAccountId: z.string(),
  region: z.string(),
  connectionType: ConnectionType,
  createdAt: z.string(),
  creator: z.string(),
  status: EndpointStatus,
  /** Why it was rejected. */
  reason: z.nullable(z.string()),
  /** When the operator last decided. */
  decidedAt: z.nullable(z.string()),
  /** From where its clients come, as the operator has entered it; empty where the cloud says who they are. */
  addresses: z.string(),
  /** When the cloud first had a connection request from it; null: not yet, or nobody can say. */
  requestSeenAt: z.nullable(z.string()),
})
export type VpcEndpoint = z.infer<typeof VpcEndpoint>

const needs = { roles: ['security_admin'] } as const

/** Private link: VPC endpoints that request access. The operator of the service decides on each. */
export const vpce = {
  list: defineCall({
    path: '/vpce/list',
    summary: 'List the VPC endpoints of the account, newest first',
    needs,
    silent: true,
    input: z.object({}),
    output: z.object({
      /** Of the account: endpoints must be in the same. */
      region: z.string(),
      /** For which an endpoint is created in the cloud; null where the operator lays the network. */
      serviceName: z.nullable(z.string()),
      endpoints: z.array(VpcEndpoint),
    }),
  }),
  create: defineCall({
    path: '/vpce/create',
    summary: 'Request access for a VPC endpoint; the operator of the service must approve it',
    needs,
    input: z.object({
      endpointId: VpcEndpointId,
      awsAccountId: AwsAccountId,
      region: EndpointRegion,
      connectionType: ConnectionType,
    }),
    output: z.object({}),
    fails: ['BadInput', 'NameTaken', 'LimitReached'],
  }),
  delete: defineCall({
    path: '/vpce/delete',
    summary: 'Delete a VPC endpoint in any state',
    needs,
    input: z.object({ endpointId: VpcEndpointId }),
    output: z.object({}),
    fails: ['NotFound'],
  }),
}
