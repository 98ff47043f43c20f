import { z } from 'zod/mini'
import { Endpoint } from './account.ts'
import { defineCall } from './call.ts'
import { LIMITS } from './limits.ts'
import { MESSAGES } from './rules.ts'
import { SignIn } from './sign-ins.ts'

export const INTEGRATION_MESSAGES = {
  applicationMissing: 'Application name is required.',
  applicationFormat: 'Use one line without control characters.',
  linkFormat: 'Enter an address that begins with http:// or https://, or leave it empty.',
} as const

export const ApplicationName = z.string().check(
  z.trim(),
  z.minLength(1, INTEGRATION_MESSAGES.applicationMissing),
  z.maxLength(LIMITS.applicationNameLength, MESSAGES.maximumLength(LIMITS.applicationNameLength)),
  // It is in the subject of a mail.
  z.regex(/^\P{Cc}*$/u, INTEGRATION_MESSAGES.applicationFormat),
)

export const RequestText = z
  .string()
  .check(z.trim(), z.maxLength(LIMITS.requestTextLength, MESSAGES.maximumLength(LIMITS.requestTextLength)))

const WEB_ADDRESS = /^(?:https?:\/\/[^\s]+)?$/i

export const RequestLink = z
  .string()
  .check(
    z.trim(),
    z.maxLength(LIMITS.catalogFieldLength, MESSAGES.maximumLength(LIMITS.catalogFieldLength)),
    z.regex(WEB_ADDRESS, INTEGRATION_MESSAGES.linkFormat),
  )

/** Where programs load data over HTTP. */
const IngestAddress = z.object({ scheme: z.enum(['http', 'https']), host: z.string(), port: z.int() })
export type IngestAddress = z.infer<typeof IngestAddress>

/** Where programs connect, over the public network and by a private link; null where that leads nowhere. */
const Endpoints = z.object({
  region: z.string(),
  query: Endpoint,
  /** Approved, and the operator has named a host. */
  privateQueryHost: z.nullable(z.string()),
  privateQueryPort: z.nullable(z.int()),
  ingest: IngestAddress,
  privateIngest: z.nullable(IngestAddress),
})
export type Endpoints = z.infer<typeof Endpoints>

const Connection = z.object({
  at: z.string(),
  /** How many times the same came since the server has noticed it first. */
  count: z.int(),
  isOwn: z.boolean(),
  /** Null where a sign-in failed under a name that is not yours. */
  user: z.nullable(z.string()),
  door: SignIn.shape.door,
  outcome: SignIn.shape.outcome,
  clientIp: z.string(),
  /** As it says itself; empty where it does not. */
  program: z.string(),
})
export type Connection = z.infer<typeof Connection>

const Request = z.object({
  requestId: z.int(),
  applicationName: z.string(),
  useCase: z.string(),
  link: z.string(),
  createdAt: z.string(),
  answer: z.nullable(z.string()),
  answeredAt: z.nullable(z.string()),
})
export type IntegrationRequest = z.infer<typeof Request>

/** Connecting other programs: where to, who has just come in, and requests for what has no guide yet. */
export const integration = {
  endpoints: defineCall({
    path: '/integration/endpoints',
    summary: 'Get the addresses at which programs connect to the account',
    needs: 'login',
    render: true,
    input: z.object({}),
    output: Endpoints,
  }),
  connections: defineCall({
    path: '/integration/connections',
    summary:
      'List the programs that have signed in, or tried to, since `since`; yours, and with the role account_admin or security_admin those of everyone',
    needs: 'login',
    silent: true,
    input: z.object({
      /** The `mark` of an earlier answer; null lists nothing and gives the first mark. */
      since: z._default(z.nullable(z.string().check(z.maxLength(64))), null),
    }),
    output: z.object({
      mark: z.string(),
      connections: z.array(Connection),
      /** The server was started again since that mark: who came in before is not known. */
      isInterrupted: z.boolean(),
    }),
  }),
  request: defineCall({
    path: '/integration/request',
    summary: 'Request an integration; the operator of the service answers',
    needs: 'login',
    input: z.object({
      applicationName: ApplicationName,
      useCase: z._default(RequestText, ''),
      link: z._default(RequestLink, ''),
    }),
    output: z.object({ requestId: z.int() }),
    fails: ['TooManyAttempts', 'LimitReached'],
  }),
  ownRequests: defineCall({
    path: '/integration/own-requests',
    summary: 'List your latest requests for integrations with their answers, newest first',
    needs: 'login',
    silent: true,
    input: z.object({}),
    output: z.object({ requests: z.array(Request) }),
  }),
}
