import { createHash, createHmac } from 'node:crypto'

export interface Keys {
  readonly accessKey: string
  readonly secretKey: string
  /** For keys that expire after some hours. */
  readonly sessionToken: string
  readonly region: string
}

export interface Unsigned {
  readonly host: string
  /** Each part of it encoded once, as it is sent. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly at: Date
  /** Missing: a GET of S3 without a body. */
  readonly posted?: { readonly service: 'sts' | 'ec2' | 'aws-marketplace' | 'glue'; readonly body: string }
}

const ALGORITHM = 'AWS4-HMAC-SHA256'

/** As the signature wants it: all but letters, digits and `-._~`. */
export const encoded = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

export const encodedQuery = (query: Readonly<Record<string, string>>): string =>
  Object.entries(query)
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted()
    .join('&')

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The headers of a request, signed (Signature Version 4). */
export function signedHeaders(
  { host, path, query, headers, at, posted }: Unsigned,
  keys: Keys,
): Record<string, string> {
  const service = posted?.service ?? 's3'
  const content = sha256(posted?.body ?? '')
  const time = at.toISOString().replace(/[-:]|\.\d+/g, '')
  const day = time.slice(0, 8)
  const all: Record<string, string> = {
    ...headers,
    host,
    'x-amz-content-sha256': content,
    'x-amz-date': time,
    ...(keys.sessionToken && { 'x-amz-security-token': keys.sessionToken }),
  }
  const names = Object.keys(all).toSorted()
  const signed = names.join(';')
  const canonical = [
    posted ? 'POST' : 'GET',
    path,
    encodedQuery(query),
    ...names.map((name) => `${name}:${all[name]?.trim()}`),
    '',
    signed,
    content,
  ].join('\n')
  const scope = `${day}/${keys.region}/${service}/aws4_request`
  const key = [day, keys.region, service, 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${keys.secretKey}`,
  )
  const signature = hmac(key, [ALGORITHM, time, scope, sha256(canonical)].join('\n')).toString('hex')
  return {
    ...all,
    authorization: `${ALGORITHM} Credential=${keys.accessKey}/${scope}, SignedHeaders=${signed}, Signature=${signature}`,
  }
}
