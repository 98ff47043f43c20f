import { Agent as PlainAgent, type IncomingMessage, request as plainRequest } from 'node:http'
import { Agent as TlsAgent, request as tlsRequest } from 'node:https'
import { isIP } from 'node:net'
import type { Clock } from '../../kernel/clock.ts'
import { type ObjectPage, OutsideRefused, type ReadObject, type WantedObject } from '../../kernel/outside.ts'
import { isPublic, publicLookup } from './addresses.ts'
import type { BucketPlace, Buckets } from './bucket.ts'
import { readListing } from './listing.ts'
import { closedNetwork, failureOf, refusalOf } from './refusals.ts'
import { encoded, encodedQuery, signedHeaders } from './signature.ts'

export interface S3Options {
  /** Origins that whoever runs the service has opened, in a closed network or without TLS. Others are public, with TLS. */
  readonly openEndpoints: readonly string[]
  readonly clock: Clock
  /** How long nothing may come. */
  readonly silenceMs?: number
}

const SILENCE_MS = 10_000
/** Of a list of 1000 names, each as long as can be, there is less. */
const LONGEST_LIST = 4 * 1024 * 1024
const LONGEST_ERROR = 64 * 1024
const KEYS_AT_ONCE = '1000'
const CONNECTIONS = 64

const AGENT = { keepAlive: true, maxSockets: CONNECTIONS, maxFreeSockets: 8 }

interface Address {
  readonly url: URL
  /** In front of every path: the bucket, where it is not a part of the host. */
  readonly base: string
}

function addressOf({ endpoint, bucket, region }: BucketPlace): Address {
  if (endpoint !== '') return { url: new URL(endpoint), base: `/${encoded(bucket)}` }
  // A certificate for all buckets covers no name with a dot in it.
  if (bucket.includes('.')) return { url: new URL(`https://s3.${region}.amazonaws.com`), base: `/${bucket}` }
  return { url: new URL(`https://${bucket}.s3.${region}.amazonaws.com`), base: '' }
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

/** Never more than this much of it. */
async function textOf(answer: IncomingMessage, most: number): Promise<string> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of answer as AsyncIterable<Buffer>) {
    length += part.length
    if (length > most) {
      answer.destroy()
      throw new OutsideRefused('nonsense', 'its answer is far too long')
    }
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

const below = ({ prefix }: BucketPlace): string => (prefix === '' ? '' : `${prefix}/`)

/** A name that some server might take for another one is asked for by nobody. */
function requirePlain(key: string): void {
  const isPlain = key !== '' && key.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  // oxlint-disable-next-line no-control-regex
  if (!isPlain || key.includes('\\') || /[\u0000-\u001f\u007f]/.test(key))
    throw new OutsideRefused('missing', 'it has a name that cannot be asked for')
}

async function refuse(answer: IncomingMessage, place: BucketPlace): Promise<never> {
  const body = await textOf(answer, LONGEST_ERROR).catch((error: unknown) => {
    throw failureOf(error)
  })
  const region = answer.headers['x-amz-bucket-region']
  throw refusalOf(
    { status: answer.statusCode ?? 0, body, region: Array.isArray(region) ? region[0] : region },
    place,
  )
}

/** Buckets by the HTTP interface of S3: lists and reads, and has no words for anything else. */
export function createS3Buckets({ openEndpoints, clock, silenceMs = SILENCE_MS }: S3Options): Buckets {
  const opened = new Set(openEndpoints)
  const agents = {
    plain: new PlainAgent(AGENT),
    tls: new TlsAgent(AGENT),
    public: new TlsAgent(AGENT),
  }

  /** By which connections it is reached. */
  function wayTo(url: URL) {
    if (opened.has(url.origin))
      return url.protocol === 'https:'
        ? { request: tlsRequest, agent: agents.tls }
        : { request: plainRequest, agent: agents.plain }
    const host = hostOf(url)
    if (isIP(host) !== 0 && !isPublic(host)) throw closedNetwork()
    if (url.protocol !== 'https:')
      throw new OutsideRefused(
        'refused',
        'it is reached without TLS, and whoever runs the service has not opened the address to catalogs',
      )
    return { request: tlsRequest, agent: agents.public, lookup: publicLookup }
  }

  /** The beginning of an answer. Redirects are answers as any other: they are not followed. */
  function get(
    place: BucketPlace,
    asked: {
      readonly key: string
      readonly query: Readonly<Record<string, string>>
      readonly signed: Readonly<Record<string, string>>
      readonly unsigned: Readonly<Record<string, string>>
    },
    stop: AbortSignal,
  ): Promise<IncomingMessage> {
    const { url, base } = addressOf(place)
    const path = `${base}/${asked.key.split('/').map(encoded).join('/')}`
    const headers = signedHeaders(
      { host: url.host, path, query: asked.query, headers: asked.signed, at: clock.now() },
      place,
    )
    const query = encodedQuery(asked.query)
    const { request, ...way } = wayTo(url)
    return new Promise((resolve, reject) => {
      const late = () =>
        sent.destroy(new OutsideRefused('unreachable', `it does not answer within ${silenceMs / 1000} s`))
      const deadline = setTimeout(late, silenceMs)
      const sent = request(
        {
          ...way,
          method: 'GET',
          host: hostOf(url),
          port: url.port || (url.protocol === 'https:' ? 443 : 80),
          path: query === '' ? path : `${path}?${query}`,
          headers: { ...headers, ...asked.unsigned, 'accept-encoding': 'identity' },
          timeout: silenceMs,
          signal: stop,
        },
        (answer) => {
          clearTimeout(deadline)
          resolve(answer)
        },
      )
      sent.once('timeout', late)
      sent.once('error', (error) => {
        clearTimeout(deadline)
        reject(failureOf(error))
      })
      sent.end()
    })
  }

  return {
    async list(place, after, stop): Promise<ObjectPage> {
      const query = {
        'list-type': '2',
        'encoding-type': 'url',
        'max-keys': KEYS_AT_ONCE,
        prefix: below(place),
        ...(after !== null && { 'continuation-token': after }),
      }
      const answer = await get(place, { key: '', query, signed: {}, unsigned: {} }, stop)
      if (answer.statusCode !== 200) return refuse(answer, place)
      const xml = await textOf(answer, LONGEST_LIST).catch((error: unknown) => {
        throw failureOf(error)
      })
      return readListing(xml, below(place))
    },

    async read(place, { key, etag, range }: WantedObject, stop): Promise<ReadObject> {
      requirePlain(key)
      const signed = range ? { range: `bytes=${range.first}-${range.last}` } : {}
      const unsigned = etag === '' ? {} : { 'if-match': etag }
      const answer = await get(place, { key: below(place) + key, query: {}, signed, unsigned }, stop)
      if (answer.statusCode !== (range ? 206 : 200)) {
        if (answer.statusCode !== 200) return refuse(answer, place)
        answer.destroy()
        throw new OutsideRefused('nonsense', 'it does not give parts of files')
      }
      const length = Number(answer.headers['content-length'] ?? Number.NaN)
      const given = /^bytes (\d+)-(\d+)\//.exec(answer.headers['content-range'] ?? '')
      const isAsked =
        !range || (Number(given?.[1]) === range.first && Number(given?.[2]) - range.first + 1 === length)
      if (Number.isSafeInteger(length) && isAsked) return { length, body: answer }
      answer.destroy()
      throw new OutsideRefused('nonsense', 'what it gives is not the part that was asked for')
    },

    close() {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}
