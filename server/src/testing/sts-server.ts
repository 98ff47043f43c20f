import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

const ACCESS_KEY = 'AKIATESTSERVICE'
const SECRET_KEY = 'the-secret-of-the-service'
export const STS_PRINCIPAL = 'arn:aws:iam::111122223333:user/boathouse'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

interface Signed {
  readonly body: string
  readonly scope: string
  readonly signed: readonly string[]
}

/** Signature Version 4 as AWS documents it, computed here a second time. */
function signatureOf(request: IncomingMessage, { body, scope, signed }: Signed): string {
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
  const key = [region, service, 'aws4_request'].reduce(hmac, hmac(`AWS4${SECRET_KEY}`, day))
  const date = String(request.headers['x-amz-date'])
  return hmac(key, ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')).toString('hex')
}

function isSigned(request: IncomingMessage, body: string): boolean {
  const [, key, scope = '', names = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\S+), SignedHeaders=(\S+), Signature=(\w+)$/.exec(
      request.headers.authorization ?? '',
    ) ?? []
  const signed = names.split(';')
  const isComplete = ['host', 'x-amz-date'].every((name) => signed.includes(name))
  return key === ACCESS_KEY && isComplete && signatureOf(request, { body, scope, signed }) === signature
}

const refusal = (code: string): string =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>No.</Message></Error></ErrorResponse>`

/** A small STS that checks signatures and lets a role in only with the external ID that its owner has written down. */
export async function startSts(clock: () => Date = () => new Date()) {
  /** External IDs by the ARN of the role that asks for them. */
  const trusts = new Map<string, string>()
  const sessions: string[] = []

  function answerTo(asked: URLSearchParams): readonly [number, string] {
    if (asked.get('Action') === 'GetCallerIdentity')
      return [200, `<GetCallerIdentityResult><Arn>${STS_PRINCIPAL}</Arn></GetCallerIdentityResult>`]
    const wanted = trusts.get(asked.get('RoleArn') ?? '')
    if (wanted === undefined || asked.get('ExternalId') !== wanted) return [403, refusal('AccessDenied')]
    sessions.push(asked.get('RoleSessionName') ?? '')
    const until = new Date(clock().getTime() + Number(asked.get('DurationSeconds')) * 1000).toISOString()
    const keys = `<AccessKeyId>ASIA${sessions.length}</AccessKeyId><SecretAccessKey>s</SecretAccessKey>`
    return [
      200,
      `<Credentials>${keys}<SessionToken>t</SessionToken><Expiration>${until}</Expiration></Credentials>`,
    ]
  }

  const server = createServer((request, response) => {
    void (async () => {
      let body = ''
      for await (const part of request as AsyncIterable<Buffer>) body += part.toString('utf8')
      const [status, text] = isSigned(request, body)
        ? answerTo(new URLSearchParams(body))
        : ([403, refusal('SignatureDoesNotMatch')] as const)
      response.writeHead(status, { 'content-type': 'text/xml' }).end(text)
    })()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return {
    trusts,
    sessions,
    settings: {
      BOATHOUSE_AWS_ACCESS_KEY: ACCESS_KEY,
      BOATHOUSE_AWS_SECRET_KEY: SECRET_KEY,
      BOATHOUSE_AWS_STS_URL: `http://127.0.0.1:${port}`,
    },
  }
}
