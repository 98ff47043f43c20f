import { signedHeaders } from '@boathouse/client/signed-headers'
import { CODES } from '@boathouse/contract/codes'
import { callEvents } from './call-events.ts'
import { pageHosts } from './hosts.ts'
import { session } from './session.ts'

export interface RawCall {
  /** With the prefix of all calls. */
  readonly path: string
  readonly method: string
  readonly toCentral: boolean
  readonly timeoutMs: number
  /** As it is sent; empty of a GET. */
  readonly body: string
}

export interface RawAnswer {
  readonly status: number
  readonly ms: number
  readonly text: string
}

/** Makes a call as its user and gives the answer as it came. Rejects when none comes. */
export async function rawCall({ path, method, toCentral, timeoutMs, body }: RawCall): Promise<RawAnswer> {
  const { token } = session.get()
  const began = performance.now()
  const response = await fetch((toCentral ? pageHosts.central() : pageHosts.regional()) + path, {
    method,
    credentials: 'include',
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      ...(method === 'GET' ? {} : { 'Content-Type': 'application/json' }),
      ...signedHeaders(token ?? '', body, Date.now()),
    },
    ...(method === 'GET' ? {} : { body }),
  })
  const text = await response.text()
  const ms = performance.now() - began
  // The sign-in has ended, or this very call has ended it.
  if (text.includes(`"code":${CODES.LoginRequired.code},`) && session.get().token === token)
    callEvents.emit({ type: 'relogin' })
  return { status: response.status, ms, text }
}

/** The description of all calls, which is public. */
export async function openApiDescription(): Promise<unknown> {
  const response = await fetch('/api/openapi.json')
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
  return response.json()
}
