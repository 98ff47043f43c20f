import {
  API_PREFIX,
  type Call,
  CODES,
  codeName,
  contract,
  Envelope,
  errorReport,
  HIGHEST_HANDLED_CODE,
  MESSAGES,
  newNonce,
  type Output,
  type Sent,
  sign,
  SIGNED_HEADERS,
} from '@boathouse/contract'
import { CallError, type FailureName, isCallError } from './call-error.ts'
import { type CallEvent, callEvents } from './call-events.ts'
import { toastFor } from './call-toast.ts'
import { browserClock, type ClockLike } from './clock.ts'
import { logToConsole } from './console-log.ts'
import type { Emitter } from './emitter.ts'
import { type Hosts, pageHosts } from './hosts.ts'
import { type Session, session } from './session.ts'

export interface SendOptions {
  readonly signal?: AbortSignal | undefined
  /** No toast, whatever happens. */
  readonly silent?: boolean | undefined
  /** API-27: no toast for 'Reach limit of connections'. */
  readonly ignoreConnectionLimit?: boolean | undefined
}

export interface SendParts {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly clock: ClockLike
  readonly session: Pick<Session, 'get'>
  readonly hosts: Hosts
  readonly events: Emitter<CallEvent>
  readonly onLoginPage: () => boolean
  readonly log: (message: string, detail?: unknown) => void
}

/** Failures the caller brought about, knows of already, or cannot be told over a line that is down. */
const NOT_REPORTED: ReadonlySet<FailureName> = new Set([
  'LoginRequired',
  'LoginFailed',
  'BadInput',
  'NoPermission',
  'Cancelled',
  'IpBlocked',
  'TooManyAttempts',
  'NetworkError',
] as const)

const IPV4 = /\b(?:\d{1,3}\.){3}\d{1,3}\b/

export function createSend(parts: SendParts) {
  const { clock, session, events } = parts

  /** API-04 to API-10 */
  function requestInit(call: Call, input: unknown): RequestInit {
    const body = call.method === 'GET' ? '' : JSON.stringify(input)
    const token = session.get().token ?? ''
    const nonce = newNonce()
    const timestamp = String(clock.now())
    return {
      method: call.method,
      credentials: 'include',
      headers: {
        'Accept-Language': 'en-us',
        ...(call.method === 'GET' ? {} : { 'Content-Type': 'application/json' }),
        [SIGNED_HEADERS.token]: token,
        [SIGNED_HEADERS.nonce]: nonce,
        [SIGNED_HEADERS.timestamp]: timestamp,
        [SIGNED_HEADERS.signature]: sign({ token, nonce, timestamp, body }),
      },
      ...(call.method === 'GET' ? {} : { body }),
    }
  }

  /** The body of the answer; rejects with the caller's own reason if the caller gave up. */
  async function exchange(call: Call, input: unknown, signal?: AbortSignal): Promise<string> {
    signal?.throwIfAborted()
    const stop = new AbortController()
    const giveUp = () => stop.abort()
    signal?.addEventListener('abort', giveUp)
    let timedOut = false
    const timer = clock.setTimeout(() => {
      timedOut = true
      stop.abort()
    }, call.timeoutMs)
    const host = call.toCentral ? parts.hosts.central() : parts.hosts.regional()
    try {
      const init = { ...requestInit(call, input), signal: stop.signal }
      const response = await parts.fetch(host + API_PREFIX + call.path, init)
      return await response.text()
    } catch (error) {
      signal?.throwIfAborted()
      const codeName = timedOut ? 'TimedOut' : 'NetworkError'
      const message = timedOut ? MESSAGES.requestTimedOut : MESSAGES.networkError
      throw new CallError({ codeName, code: 0, message, call, cause: error })
    } finally {
      clock.clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
    }
  }

  /** API-12, API-14, API-28, API-29 */
  async function request<C extends Call>(call: C, input: Sent<C>, options: SendOptions): Promise<Output<C>> {
    const sentToken = session.get().token
    const text = await exchange(call, input, options.signal)
    const answer = readEnvelope(text)
    if (answer === null) throw badAnswer(call, text)
    tellOf(answer, sentToken)
    if (answer.code !== CODES.Ok.code) throw refusal(call, answer, text)
    const data = call.output.safeParse(answer.data)
    if (!data.success) throw badAnswer(call, text)
    return data.data as Output<C>
  }

  /** API-15, API-17, API-19 */
  function tellOf(answer: Envelope, sentToken: string | null): void {
    if (answer.code === CODES.IpBlocked.code)
      return events.emit({ type: 'ipBlocked', ip: IPV4.exec(answer.message)?.[0] ?? '' })
    events.emit({ type: 'ipClear' })
    // A late answer to an earlier login says nothing about the present one.
    const isOfThisLogin = sentToken === session.get().token
    if (answer.code === CODES.LoginRequired.code && isOfThisLogin && !parts.onLoginPage())
      events.emit({ type: 'relogin' })
  }

  /** Tells the user by a toast where one is due, and the service by a report (API-29, API-33). */
  function settleFailure(failed: CallError, input: unknown, options: SendOptions): void {
    const { call } = failed
    const toast = toastFor(failed, call, { ...options, onLoginPage: parts.onLoginPage() })
    if (toast) events.emit({ type: 'failed', error: failed, call, toast })
    if (
      NOT_REPORTED.has(failed.codeName) ||
      failed.code > HIGHEST_HANDLED_CODE ||
      call === contract.log.report
    )
      return
    const message = errorReport({
      errUrl: API_PREFIX + call.path,
      requestBody: input,
      accountId: session.get().account ?? '',
      message: `${failed.codeName} ${failed.code}: ${failed.message}`,
    })
    request(contract.log.report, { message }, {}).catch((reason: unknown) =>
      parts.log('An error could not be reported to the service.', String(reason)),
    )
  }

  const send = async <C extends Call>(
    call: C,
    input: Sent<C>,
    options: SendOptions = {},
  ): Promise<Output<C>> => {
    try {
      return await request(call, input, options)
    } catch (error) {
      if (isCallError(error)) settleFailure(error, input, options)
      throw error
    }
  }

  return { request, send, settleFailure }
}

function readEnvelope(text: string): Envelope | null {
  try {
    return Envelope.safeParse(JSON.parse(text)).data ?? null
  } catch {
    // A proxy's own page, or an answer cut short: the caller is told that it cannot be read.
    return null
  }
}

const badAnswer = (call: Call, text: string): CallError =>
  new CallError({ codeName: 'BadAnswer', code: 0, message: MESSAGES.badAnswer, call, raw: text })

function refusal(call: Call, answer: Envelope, text: string): CallError {
  const { code, message } = answer
  const raw = code > HIGHEST_HANDLED_CODE ? JSON.parse(text) : undefined
  return new CallError({ codeName: codeName(code) ?? 'UnknownCode', code, message, call, raw })
}

/** The sign-in page itself; pages that only lead to it are not meant (API-18). */
const isLoginPage = (): boolean => /^\/login\/?$/.test(window.location.pathname)

export const pageSend = createSend({
  fetch: (url, init) => globalThis.fetch(url, init),
  clock: browserClock,
  session,
  hosts: pageHosts,
  events: callEvents,
  onLoginPage: isLoginPage,
  log: logToConsole,
})

/** Makes a call: resolves to its data, rejects with a CallError (or with the reason of an aborted signal). */
export const send = pageSend.send
