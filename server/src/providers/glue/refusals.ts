import { type OutsideReason, OutsideRefused } from '../../kernel/outside.ts'
import { NotAccepted } from '../hive/table-keeper.ts'

/** AWS asks to be asked again. */
export class AskAgain extends OutsideRefused {}

/** By the codes that AWS has for them. Nothing else of an answer is repeated. */
const NOT_ACCEPTED: Readonly<Record<string, string>> = {
  UnrecognizedClientException: 'the access key is not known to AWS Glue',
  InvalidClientTokenId: 'the access key is not known to AWS Glue',
  InvalidSignatureException: 'the secret key is wrong, or the clock of this service is',
  SignatureDoesNotMatch: 'the secret key is wrong, or the clock of this service is',
  IncompleteSignatureException: 'AWS Glue does not take the form of the access key',
  ExpiredTokenException: 'the credentials have expired',
  ExpiredToken: 'the credentials have expired',
  RequestExpired: 'the credentials have expired, or the clock of this service is wrong',
}

const REFUSALS: Readonly<Record<string, readonly [OutsideReason, string]>> = {
  EntityNotFoundException: ['missing', 'AWS Glue does not have it'],
  GlueEncryptionException: [
    'refused',
    'its metadata is encrypted in AWS Glue with a key that these credentials may not use',
  ],
  InvalidInputException: ['refused', 'AWS Glue does not take the question'],
  ValidationException: ['refused', 'AWS Glue does not take the question'],
}

const AGAIN = new Set([
  'ThrottlingException',
  'Throttling',
  'TooManyRequestsException',
  'RequestLimitExceeded',
  'ProvisionedThroughputExceededException',
  'OperationTimeoutException',
  'InternalServiceException',
  'InternalFailure',
  'ServiceUnavailable',
  'ServiceUnavailableException',
])

const THROTTLED = /Throttl|TooMany|LimitExceeded|ThroughputExceeded/

/** Of `com.amazonaws.glue#EntityNotFoundException:http://…` the middle. */
export const codeIn = (text: unknown): string =>
  typeof text === 'string' ? (text.split(':')[0]?.split('#').at(-1) ?? '') : ''

/** For an answer that is an error. */
export function refusalOf(action: string, code: string, status: number): OutsideRefused {
  if (AGAIN.has(code) || status >= 500 || status === 429)
    return new AskAgain(
      'unreachable',
      THROTTLED.test(code) || status === 429
        ? 'AWS Glue is asked too often at this moment; try again soon'
        : 'AWS Glue is not available right now',
    )
  const why = NOT_ACCEPTED[code]
  if (why !== undefined) return new NotAccepted('refused', why)
  if (code === 'AccessDeniedException' || code === 'AccessDenied')
    return new OutsideRefused('refused', `its policy does not allow glue:${action}`)
  if (status === 401 || (status === 403 && !(code in REFUSALS)))
    return new NotAccepted('refused', 'AWS Glue does not accept the credentials')
  const [reason, message] =
    REFUSALS[code] ?? (['nonsense', `AWS Glue answers with the error ${status}`] as const)
  return new OutsideRefused(reason, message)
}

export const nonsense = (what: string, cause?: unknown): OutsideRefused =>
  new OutsideRefused('nonsense', `the answer of AWS Glue is ${what}`, { cause })
