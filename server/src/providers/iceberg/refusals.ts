import { type OutsideReason, OutsideRefused } from '../../kernel/outside.ts'

/** Who asks is not who may: no other question would be answered either. */
export class NotAccepted extends OutsideRefused {}

const STATUSES: Readonly<Record<number, readonly [OutsideReason, string]>> = {
  403: ['refused', 'its server does not let this credential read it'],
  404: ['missing', 'its server does not know it'],
  406: ['refused', 'its server cannot do what reading it takes'],
  429: ['unreachable', 'its server asks to be left alone for a moment'],
  500: ['unreachable', 'its server reported an internal error'],
  502: ['unreachable', 'its server is not available right now'],
  503: ['unreachable', 'its server is not available right now'],
  504: ['unreachable', 'its server is not available right now'],
}

/** For an error of the server. Its words are not repeated. */
export function refusalOf(status: number, credential: string): OutsideRefused {
  if (status === 401 || status === 419)
    return new NotAccepted(
      'refused',
      credential === ''
        ? 'its server asks for a credential, and the catalog has none'
        : 'its server does not accept the credential, or that has expired',
    )
  if (status >= 300 && status < 400)
    return new OutsideRefused('refused', 'its server leads on to another place, and that is not followed')
  const [reason, message] =
    STATUSES[status] ?? (['nonsense', `its server answers with the error ${status}`] as const)
  return new OutsideRefused(reason, message)
}

/** Of an answer for a token; see RFC 6749. */
export function tokenRefusalOf(status: number): OutsideRefused {
  if (status === 400 || status === 401 || status === 403)
    return new NotAccepted('refused', 'no token is given for this OAuth credential and scope')
  if (status === 404)
    return new NotAccepted(
      'missing',
      'no tokens are given at the address for them; write another OAuth token URL, or a token as the credential',
    )
  return refusalOf(status, '')
}

export const nonsense = (what: string, cause?: unknown): OutsideRefused =>
  new OutsideRefused('nonsense', `the answer of its server is ${what}`, { cause })
