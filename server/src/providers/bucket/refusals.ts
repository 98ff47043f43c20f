import { OutsideRefused, type OutsideReason } from '../../kernel/outside.ts'
import { ClosedAddress } from './addresses.ts'
import type { BucketPlace } from './bucket.ts'
import { elementIn } from './listing.ts'

type Refusal = readonly [OutsideReason, string]

/** By the codes that S3 has for them. Nothing else of an answer is repeated. */
const CODES: Readonly<Record<string, Refusal>> = {
  InvalidAccessKeyId: ['refused', 'the access key is not known there'],
  SignatureDoesNotMatch: ['refused', 'the secret key is wrong'],
  ExpiredToken: ['refused', 'the credentials have expired'],
  RequestExpired: ['refused', 'the credentials have expired'],
  TokenRefreshRequired: ['refused', 'the credentials have expired'],
  InvalidToken: ['refused', 'the session token is not valid'],
  AccessDenied: ['refused', 'the access key may not read it'],
  AllAccessDisabled: ['refused', 'all access to it is switched off'],
  AccountProblem: ['refused', 'there is a problem with the account that holds it'],
  RequestTimeTooSkewed: ['refused', 'its clock and that of this service differ too much'],
  InvalidObjectState: ['refused', 'it is archived, and must be restored first'],
  NoSuchKey: ['missing', 'it is not there'],
  PreconditionFailed: ['changed', 'it has changed since it was listed'],
  InvalidRange: ['changed', 'it has changed since it was listed'],
  SlowDown: ['unreachable', 'it asks to be left alone for a moment'],
  ServiceUnavailable: ['unreachable', 'it is not available right now'],
  InternalError: ['unreachable', 'it reported an internal error'],
}

const STATUSES: Readonly<Record<number, Refusal>> = {
  401: ['refused', 'the access key may not read it'],
  403: ['refused', 'the access key may not read it'],
  404: ['missing', 'it is not there'],
  412: ['changed', 'it has changed since it was listed'],
  416: ['changed', 'it has changed since it was listed'],
  429: ['unreachable', 'it asks to be left alone for a moment'],
  503: ['unreachable', 'it is not available right now'],
}

const REGION = /^[a-z\d-]{2,32}$/

/** For an answer that is neither the requested object nor a part of it. */
export function refusalOf(
  { status, body, region }: { status: number; body: string; region: string | undefined },
  { bucket }: Pick<BucketPlace, 'bucket'>,
): OutsideRefused {
  const code = elementIn(body, 'Code') ?? ''
  if (code === 'NoSuchBucket') return new OutsideRefused('missing', `there is no bucket ${bucket}`)
  const other = region ?? elementIn(body, 'Region') ?? ''
  if (['PermanentRedirect', 'AuthorizationHeaderMalformed'].includes(code) || (status === 301 && region))
    return new OutsideRefused(
      'refused',
      REGION.test(other) ? `the bucket is in the region ${other}` : 'the bucket is in another region',
    )
  if (status >= 300 && status < 400)
    return new OutsideRefused('refused', 'it leads on to another place, and that is not followed')
  const [reason, message] =
    CODES[code] ?? STATUSES[status] ?? (['nonsense', `it answers with the error ${status}`] as const)
  return new OutsideRefused(reason, message)
}

const FAILURES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no server answers there',
  ENOTFOUND: 'there is no host of this name',
  EAI_AGAIN: 'the name of its host cannot be looked up right now',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  ECONNRESET: 'it hangs up',
  EPIPE: 'it hangs up',
  ETIMEDOUT: 'it does not answer in time',
  EPROTO: 'it does not speak TLS as it should',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by an authority that is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by an authority that is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is signed by an authority that is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is signed by an authority that is not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is of another host',
}

export const closedNetwork = (): OutsideRefused =>
  new OutsideRefused(
    'refused',
    'it is in a private network, and the operator of the service has not allowed this address',
  )

/** Of a question that was not answered at all. */
export function failureOf(error: unknown): OutsideRefused {
  if (error instanceof OutsideRefused) return error
  if (error instanceof ClosedAddress) return closedNetwork()
  const { code = '' } = error as NodeJS.ErrnoException
  if (code.startsWith('HPE_'))
    return new OutsideRefused('nonsense', 'it does not speak HTTP', { cause: error })
  const known = FAILURES[code]
  const message =
    known ?? `it cannot be reached (${/^\w{1,40}$/.test(code) ? code : 'for a reason not known'})`
  return new OutsideRefused('unreachable', message, { cause: error })
}
