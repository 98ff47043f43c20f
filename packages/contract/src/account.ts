import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { AccountId } from './rules.ts'

/** Where other programs connect with the MySQL protocol; the home page shows what really works here. */
export const Endpoint = z.object({
  /** Empty: the name by which this service is reached. */
  host: z.string(),
  port: z.int(),
  listening: z.boolean(),
  /** Why it does not listen: it is switched off, begins to listen shortly, or is in trouble, of which operators read more. */
  absence: z.nullable(z.enum(['off', 'starting', 'trouble'])),
  /** Clients on other machines must encrypt. */
  requiresTls: z.boolean(),
  /** Made at the first start: no client trusts it of itself. */
  ownCertificate: z.boolean(),
  /** IDs of the account's VPC endpoints that were approved for SQL. */
  privateEndpoints: z.array(z.string()),
  /** Where clients of these connect; null where nothing listens for them, or none is approved. */
  privateAddress: z.nullable(z.object({ host: z.string(), port: z.int() })),
})
export type QueryEndpoint = z.infer<typeof Endpoint>

export const account = {
  /** The account step of sign-in: says in which region the account is, and nothing else about it. */
  locate: defineCall({
    path: '/account/locate',
    summary: 'Get the region of an account, and the host of that region',
    needs: 'nothing',
    toCentral: true,
    input: z.object({ accountId: AccountId }),
    output: z.object({
      accountId: z.string(),
      region: z.string(),
      /** The origin at which you sign in. Empty: the host that answers this call. */
      host: z.string(),
    }),
    fails: ['NotFound', 'TooManyAttempts'],
  }),
  details: defineCall({
    path: '/account/details',
    summary: 'Get the account details of the home page',
    needs: 'login',
    render: true,
    whileFrozen: true,
    input: z.object({}),
    output: z.object({
      accountId: z.string(),
      accountName: z.string(),
      organisation: z.string(),
      csp: z.string(),
      region: z.string(),
      edition: z.enum(['lake', 'standard']),
      engineVersion: z.string(),
      version: z.string(),
      createdBy: z.string(),
      createdAt: z.string(),
      queryEndpoint: Endpoint,
    }),
  }),
}
