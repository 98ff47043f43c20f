import { type CallError, type FailureName, isCallError } from '@boathouse/client/call-error'
import { createCaller } from '@boathouse/client/caller'
import { type ClockLike, systemClock } from '@boathouse/client/clock'
import type { Emitter } from '@boathouse/client/emitter'
import { API_PREFIX, type Call, type Output, type Sent } from '@boathouse/contract/call'
import { CODES, HIGHEST_HANDLED_CODE } from '@boathouse/contract/codes'
import type { Envelope } from '@boathouse/contract/envelope'
import { errorReport, log as logCalls } from '@boathouse/contract/log'
import { type CallEvent, callEvents } from './call-events.ts'
import { toastFor } from './call-toast.ts'
import { logToConsole } from './console-log.ts'
import { type Hosts, pageHosts } from './hosts.ts'
import { type Session, session } from './session.ts'

export interface SendOptions {
  readonly signal?: AbortSignal | undefined
  /** No toast, whatever happens. */
  readonly silent?: boolean | undefined
  /** No toast for 'Reach limit of connections'. */
  readonly ignoreConnectionLimit?: boolean | undefined
  /** It fills a page here, as calls that are flagged `render` do everywhere. */
  readonly fillsPage?: boolean | undefined
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

/** Failures that the caller caused, knows of already, or that cannot be sent without a connection. */
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
  const { session, events } = parts

  const request = createCaller({
    fetch: parts.fetch,
    clock: parts.clock,
    token: () => session.get().token,
    host: (call) => (call.toCentral ? parts.hosts.central() : parts.hosts.regional()),
    heard: publish,
  })

  function publish(answer: Envelope, sentToken: string | null): void {
    if (answer.code === CODES.IpBlocked.code)
      return events.emit({ type: 'ipBlocked', ip: IPV4.exec(answer.message)?.[0] ?? '' })
    events.emit({ type: 'ipClear' })
    // A late answer to an earlier login says nothing about the present one.
    const isOfThisLogin = sentToken === session.get().token
    if (answer.code === CODES.LoginRequired.code && isOfThisLogin && !parts.onLoginPage())
      events.emit({ type: 'relogin' })
  }

  /** Notifies the user by a toast where one is due, and the service by a report. */
  function settleFailure(failed: CallError, input: unknown, options: SendOptions): void {
    const { call } = failed
    const toast = toastFor(failed, call, { ...options, onLoginPage: parts.onLoginPage() })
    if (toast) events.emit({ type: 'failed', error: failed, call, toast })
    if (NOT_REPORTED.has(failed.codeName) || failed.code > HIGHEST_HANDLED_CODE || call === logCalls.report)
      return
    const message = errorReport({
      errUrl: API_PREFIX + call.path,
      requestBody: input,
      accountId: session.get().account ?? '',
      message: `${failed.codeName} ${failed.code}: ${failed.message}`,
    })
    request(logCalls.report, { message }, {}).catch((reason: unknown) =>
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

/** The sign-in page itself; pages that only lead to it are not meant. */
const isLoginPage = (): boolean => /^\/login\/?$/.test(window.location.pathname)

export const pageSend = createSend({
  fetch: (url, init) => globalThis.fetch(url, init),
  clock: systemClock,
  session,
  hosts: pageHosts,
  events: callEvents,
  onLoginPage: isLoginPage,
  log: logToConsole,
})

/** Makes a call: resolves to its data, rejects with a CallError (or with the reason of an aborted signal). */
export const send = pageSend.send
