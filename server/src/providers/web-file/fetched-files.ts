import type { IncomingMessage } from 'node:http'
import { OutsideRefused } from '../../kernel/outside.ts'
import { createOutsideRequests } from '../bucket/outside-requests.ts'
import { failureOf } from '../bucket/refusals.ts'
import { nameOf, typeOf } from './file-name.ts'
import type { WebFile, WebFiles } from './web-files.ts'

interface FileOptions {
  /** Origins that the operator has allowed, in a closed network or without TLS. Others must be public, with TLS. */
  readonly openEndpoints: readonly string[]
  /** How long nothing may come. */
  readonly silenceMs?: number
}

const MOST_REDIRECTS = 5
const REDIRECTS = new Set([301, 302, 303, 307, 308])
/** By which a web page and a compressed file are known. */
const PEEKED_BYTES = 512
const WEB_PAGE = /^\uFEFF?\s*<(!doctype html|html[\s>])/i

const refused = (message: string) => new OutsideRefused('refused', message)

function statusRefusal(status: number): OutsideRefused {
  if (status === 401 || status === 403)
    return refused('its server does not give it without a sign-in; use an address that needs none')
  if (status === 404 || status === 410)
    return new OutsideRefused('missing', 'there is no file at this address')
  if (status === 429 || status === 503)
    return new OutsideRefused('unreachable', 'its server asks to be left alone for a moment')
  return new OutsideRefused('nonsense', `its server answers with the status ${status}`)
}

/** Where a request goes; `from` is what led there. */
function placeOf(address: string, from?: URL): URL {
  if (!URL.canParse(address, from?.href)) throw refused('its address is not complete')
  const place = new URL(address, from)
  if (place.protocol === 's3:') throw refused('files of a bucket are loaded by a pipe; create one below')
  if (place.protocol !== 'https:' && place.protocol !== 'http:')
    throw refused('its address must begin with https://')
  if (place.username + place.password !== '')
    throw refused('its address has a user name or a password in it; remove them')
  return place
}

/** Its first bytes, for as long as it takes to have some, and all of it. */
async function begunBody(answer: IncomingMessage): Promise<{ first: Buffer; body: AsyncIterable<Buffer> }> {
  const chunks = (answer as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  const parts: Buffer[] = []
  const next = () =>
    chunks.next().catch((error: unknown) => {
      throw failureOf(error)
    })
  let length = 0
  while (length < PEEKED_BYTES) {
    const { done, value } = await next()
    if (done) break
    parts.push(value)
    length += value.length
  }
  async function* whole(): AsyncGenerator<Buffer> {
    try {
      yield* parts
      for (let one = await next(); !one.done; one = await next()) yield one.value
    } finally {
      answer.destroy()
    }
  }
  return { first: Buffer.concat(parts).subarray(0, PEEKED_BYTES), body: whole() }
}

async function fileIn(answer: IncomingMessage, place: URL): Promise<WebFile> {
  const { headers } = answer
  const encoding = headers['content-encoding'] ?? 'identity'
  if (!['identity', 'gzip', 'x-gzip'].includes(encoding.toLowerCase()))
    throw new OutsideRefused('nonsense', 'its server sends it in an encoding that was not asked for')
  const { first, body } = await begunBody(answer)
  const isPage = typeOf(headers) === 'text/html' || WEB_PAGE.test(first.toString('utf8'))
  if (isPage)
    throw refused(
      'its address leads to a web page, such as one to sign in; use the address of the file itself',
    )
  const announced = headers['content-length']
  return {
    name: nameOf(place.pathname, headers, first),
    sizeBytes: announced === undefined ? null : Number(announced),
    body,
  }
}

/** Files of the web. Each place that a redirect leads to is judged as the first one is. */
export function createFetchedFiles({ openEndpoints, silenceMs }: FileOptions): WebFiles {
  const requests = createOutsideRequests({
    openEndpoints,
    ...(silenceMs !== undefined && { silenceMs }),
  })

  async function follow(place: URL, stop: AbortSignal, left: number): Promise<WebFile> {
    const path = place.pathname + place.search
    const headers = { accept: '*/*', 'user-agent': 'Boathouse' }
    const answer = await requests.send({ to: place, method: 'GET', path, headers }, stop)
    const { statusCode = 0 } = answer
    const { location } = answer.headers
    try {
      if (REDIRECTS.has(statusCode) && location !== undefined) {
        if (left === 0) throw refused(`its address leads on more than ${MOST_REDIRECTS} times`)
        answer.destroy()
        return await follow(placeOf(location, place), stop, left - 1)
      }
      if (statusCode !== 200) throw statusRefusal(statusCode)
      return await fileIn(answer, place)
    } catch (error) {
      answer.destroy()
      throw error
    }
  }

  return {
    open: async (address, stop) => follow(placeOf(address), stop, MOST_REDIRECTS),
    close: requests.close,
  }
}
