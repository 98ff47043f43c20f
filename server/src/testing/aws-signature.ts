import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

const ACCESS_KEY = 'AKIATESTSERVICE'
const SECRET_KEY = 'the-secret-of-the-service'

/** The keys that servers of tests know. */
export const AWS_KEYS = {
  BOATHOUSE_AWS_ACCESS_KEY: ACCESS_KEY,
  BOATHOUSE_AWS_SECRET_KEY: SECRET_KEY,
} as const

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

interface Signed {
  readonly secretKey: string
  readonly body: string
  readonly scope: string
  readonly signed: readonly string[]
}

/** Signature Version 4 as AWS documents it, computed here a second time. */
function signatureOf(request: IncomingMessage, { secretKey, body, scope, signed }: Signed): string {
  const canonical = [
    request.method,
    '/',
    '',
    ...signed.map((name) => `${name}:${String(request.headers[name]).trim()}`),
    '',
    signed.join(';'),
    sha256(body),
  ].join('\n')
  const [day = '', region = '', service = ''] = scope.split('/')
  const key = [region, service, 'aws4_request'].reduce(hmac, hmac(`AWS4${secretKey}`, day))
  const date = String(request.headers['x-amz-date'])
  return hmac(key, ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')).toString('hex')
}

/** Secret keys by their access keys. */
type KnownKeys = ReadonlyMap<string, string>

const OF_SERVICE: KnownKeys = new Map([[ACCESS_KEY, SECRET_KEY]])

/** The access key with which it is signed; null when it is not signed as it should be. */
export function signerOf(request: IncomingMessage, body: string, known = OF_SERVICE): string | null {
  const [, key = '', scope = '', names = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\S+), SignedHeaders=(\S+), Signature=(\w+)$/.exec(
      request.headers.authorization ?? '',
    ) ?? []
  const signed = names.split(';')
  const secretKey = known.get(key)
  const isComplete = ['host', 'x-amz-date'].every((name) => signed.includes(name))
  if (secretKey === undefined || !isComplete) return null
  return signatureOf(request, { secretKey, body, scope, signed }) === signature ? key : null
}

/** Whether the service has signed it. */
export const isSigned = (request: IncomingMessage, body: string): boolean => signerOf(request, body) !== null

type AwsAnswer = readonly [status: number, xml: string]

interface AwsService {
  /** As the signature names it. */
  readonly service: string
  readonly refusal: (code: string) => string
  readonly answer: (asked: URLSearchParams) => AwsAnswer
}

/** A server of AWS's query API that answers only what is signed; ends with the test. */
export async function startAwsService({ service, refusal, answer }: AwsService): Promise<string> {
  const server = createServer((request, response) => {
    void (async () => {
      let body = ''
      for await (const part of request as AsyncIterable<Buffer>) body += part.toString('utf8')
      const isMeant = request.headers.authorization?.includes(`/${service}/aws4_request`) ?? false
      const [status, text] =
        isMeant && isSigned(request, body)
          ? answer(new URLSearchParams(body))
          : ([403, refusal('SignatureDoesNotMatch')] as const)
      response.writeHead(status, { 'content-type': 'text/xml' }).end(text)
    })()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
