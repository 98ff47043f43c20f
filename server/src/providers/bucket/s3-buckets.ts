import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../kernel/clock.ts'
import { type ObjectPage, OutsideRefused, type ReadObject, type WantedObject } from '../../kernel/outside.ts'
import type { BucketPlace, Buckets } from './bucket.ts'
import { readListing } from './listing.ts'
import { refusalOf } from './refusals.ts'
import { encoded, encodedQuery, signedHeaders } from './signature.ts'
import { textOf, type OutsideRequests } from './outside-requests.ts'

export interface S3Options {
  readonly requests: OutsideRequests
  readonly clock: Clock
}

/** Of a list of 1000 names, each as long as can be, there is less. */
const LONGEST_LIST = 4 * 1024 * 1024
const LONGEST_ERROR = 64 * 1024
const KEYS_AT_ONCE = '1000'

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

const below = ({ prefix }: BucketPlace): string => (prefix === '' ? '' : `${prefix}/`)

/** A name that some server might take for another one is never requested. */
function requirePlain(key: string): void {
  const isPlain = key !== '' && key.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  // oxlint-disable-next-line no-control-regex
  if (!isPlain || key.includes('\\') || /[\u0000-\u001f\u007f]/.test(key))
    throw new OutsideRefused('missing', 'it has a name that cannot be asked for')
}

async function refuse(answer: IncomingMessage, place: BucketPlace): Promise<never> {
  const body = await textOf(answer, LONGEST_ERROR)
  const region = answer.headers['x-amz-bucket-region']
  throw refusalOf(
    { status: answer.statusCode ?? 0, body, region: Array.isArray(region) ? region[0] : region },
    place,
  )
}

/** Buckets by the HTTP interface of S3: lists and reads, and has no words for anything else. */
export function createS3Buckets({ requests, clock }: S3Options): Buckets {
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
    return requests.send(
      {
        to: url,
        method: 'GET',
        path: query === '' ? path : `${path}?${query}`,
        headers: { ...headers, ...asked.unsigned },
      },
      stop,
    )
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
      return readListing(await textOf(answer, LONGEST_LIST), below(place))
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
  }
}
