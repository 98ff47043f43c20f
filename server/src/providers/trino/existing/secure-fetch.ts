import type { IncomingMessage } from 'node:http'
import { type Agent, request as send } from 'node:https'
import { Readable } from 'node:stream'

/** Answers of these have no body, and `Response` takes none for them. */
const WITHOUT_BODY = new Set([204, 205, 304])

/** `fetch` by TLS with certificates of one's own, which that of Node does not take. Follows no redirects. */
export function fetchWith(agent: Agent): typeof fetch {
  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      const { method = 'GET', body, signal } = init
      const headers = Object.fromEntries(new Headers(init.headers))
      const url = new URL(input instanceof Request ? input.url : input)
      const request = send(url, { agent, method, headers, ...(signal && { signal }) }, (answer) => {
        try {
          resolve(responseOf(answer))
        } catch (error) {
          // A status that no server has, for one.
          answer.destroy()
          reject(error)
        }
      })
      request.on('error', reject)
      request.end(typeof body === 'string' ? body : undefined)
    })
}

function responseOf(answer: IncomingMessage): Response {
  const { statusCode: status = 0, rawHeaders } = answer
  const headers = new Headers()
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  if (WITHOUT_BODY.has(status)) {
    answer.resume()
    return new Response(null, { status, headers })
  }
  return new Response(Readable.toWeb(answer) as ReadableStream<Uint8Array<ArrayBuffer>>, { status, headers })
}
