import type { Clock } from '../../kernel/clock.ts'
import { OutsideRefused } from '../../kernel/outside.ts'
import { elementIn } from '../bucket/listing.ts'
import { type OutsideRequests, textOf } from '../bucket/outside-requests.ts'
import { encodedQuery, type Keys, signedHeaders } from '../bucket/signature.ts'
import type { RoleKeys, Roles } from './roles.ts'

export interface StsOptions {
  readonly requests: OutsideRequests
  /** The service's own keys. */
  readonly keys: Keys
  /** Empty: that of AWS for the region of the keys. */
  readonly endpoint: string
  readonly clock: Clock
}

const VERSION = '2011-06-15'
const SESSION_SECONDS = '3600'
const LONGEST_ANSWER = 64 * 1024

/** By the codes that STS has for them. Nothing else of an answer is repeated. */
const REFUSALS: Readonly<Record<string, string>> = {
  AccessDenied: 'the role does not let this service in; check its trust policy and the external ID in it',
  ValidationError: 'AWS does not take the ARN or the external ID',
  MalformedPolicyDocument: 'a policy of the role is not valid',
  RegionDisabledException: 'AWS has switched off the region for the account of the role',
  ExpiredToken: 'the AWS keys of this service have expired; the operator must renew them',
  InvalidClientTokenId: 'AWS does not know the keys of this service; the operator must correct them',
  SignatureDoesNotMatch: 'the AWS keys of this service are wrong; the operator must correct them',
}

/** Roles by the calls of AWS STS. */
export function createStsRoles({ requests, keys, endpoint, clock }: StsOptions): Roles {
  const to = new URL(endpoint === '' ? `https://sts.${keys.region}.amazonaws.com` : endpoint)

  async function ask(question: Readonly<Record<string, string>>, stop: AbortSignal): Promise<string> {
    const body = encodedQuery({ Version: VERSION, ...question })
    const headers = signedHeaders(
      {
        host: to.host,
        path: '/',
        query: {},
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        at: clock.now(),
        posted: { service: 'sts', body },
      },
      keys,
    )
    const answer = await requests.send({ to, method: 'POST', path: '/', headers, body }, stop)
    const text = await textOf(answer, LONGEST_ANSWER)
    if (answer.statusCode === 200) return text
    const why = REFUSALS[elementIn(text, 'Code') ?? '']
    if (why !== undefined) throw new OutsideRefused('refused', why)
    throw new OutsideRefused('unreachable', `AWS STS answers with the error ${answer.statusCode ?? 0}`)
  }

  return {
    async identity(stop) {
      const arn = elementIn(await ask({ Action: 'GetCallerIdentity' }, stop), 'Arn')
      if (arn === null) throw new OutsideRefused('nonsense', 'AWS STS does not say who the service is')
      return arn
    },

    async assume({ roleArn, externalId, sessionName }, stop): Promise<RoleKeys> {
      const text = await ask(
        {
          Action: 'AssumeRole',
          RoleArn: roleArn,
          RoleSessionName: sessionName,
          ExternalId: externalId,
          DurationSeconds: SESSION_SECONDS,
        },
        stop,
      )
      const [accessKey, secretKey, sessionToken, until] = [
        'AccessKeyId',
        'SecretAccessKey',
        'SessionToken',
        'Expiration',
      ].map((name) => elementIn(text, name) ?? '')
      if (!accessKey || !secretKey || !sessionToken || !until || Number.isNaN(Date.parse(until)))
        throw new OutsideRefused('nonsense', 'AWS STS answers without keys')
      return { accessKey, secretKey, sessionToken, until: Date.parse(until) }
    },
  }
}
