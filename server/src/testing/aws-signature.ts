import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Keys of the service in tests. */
export const ACCESS_KEY = 'AKIATESTSERVICE'
export const SECRET_KEY = 'the-secret-of-the-service'

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

/** Whether the service has signed it. */
export function isSigned(request: IncomingMessage, body: string): boolean {
  const [, key, scope = '', names = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\S+), SignedHeaders=(\S+), Signature=(\w+)$/.exec(
      request.headers.authorization ?? '',
    ) ?? []
  const signed = names.split(';')
  const isComplete = ['host', 'x-amz-date'].every((name) => signed.includes(name))
  return key === ACCESS_KEY && isComplete && signatureOf(request, { body, scope, signed }) === signature
}
