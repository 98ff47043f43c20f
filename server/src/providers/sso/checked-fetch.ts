import type { IncomingHttpHeaders } from 'node:http'
import type { CustomFetchOptions } from 'openid-client'
import { createOutsideRequests, textOf, type OutsideRequestOptions } from '../bucket/outside-requests.ts'

/** Descriptions, keys and tokens are a few thousand. */
const MOST_CHARACTERS = 1_000_000

function headersOf(headers: IncomingHttpHeaders): Headers {
  const found = new Headers()
  for (const [name, value] of Object.entries(headers))
    for (const one of [value ?? []].flat()) found.append(name, one)
  return found
}

/**
 * Asks what an issuer names, by the same ways as catalogs: only public addresses with TLS, or those that were opened. The
 * address that was looked at is the one that is connected to, and redirects are answers as any other.
 */
export function createCheckedFetch(options: OutsideRequestOptions) {
  const requests = createOutsideRequests(options)
  return {
    async fetch(url: string, { method, headers, body, signal }: CustomFetchOptions): Promise<Response> {
      const to = new URL(url)
      const answer = await requests.send(
        {
          to,
          method: method === 'POST' ? 'POST' : 'GET',
          path: `${to.pathname}${to.search}`,
          headers,
          ...(body === null || body === undefined ? {} : { body: bodyText(body) }),
        },
        signal ?? new AbortController().signal,
      )
      const text = await textOf(answer, MOST_CHARACTERS)
      const status = answer.statusCode ?? 0
      const isEmpty = status === 204 || status === 205 || status === 304
      return new Response(isEmpty ? null : text, { status, headers: headersOf(answer.headers) })
    },
    close: requests.close,
  }
}

function bodyText(body: CustomFetchOptions['body']): string {
  if (typeof body === 'string') return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new Error('A request to an issuer must be text.')
}
