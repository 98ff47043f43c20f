import { expect, test } from 'vitest'
import { encoded, signedHeaders } from './signature.ts'

// The examples of the published description of Signature Version 4 for S3.
const KEYS = {
  accessKey: 'AKIAIOSFODNN7EXAMPLE',
  secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  sessionToken: '',
  region: 'us-east-1',
}
const AT = new Date('2013-05-24T00:00:00Z')
const HOST = 'examplebucket.s3.amazonaws.com'

const signatureOf = (headers: Record<string, string>): string | undefined =>
  /Signature=(\w+)$/.exec(headers['authorization'] ?? '')?.[1]

test('a part of an object and a list are signed as the published examples are', () => {
  const read = signedHeaders(
    { host: HOST, path: '/test.txt', query: {}, headers: { range: 'bytes=0-9' }, at: AT },
    KEYS,
  )
  expect(signatureOf(read)).toBe('f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41')
  const list = signedHeaders(
    { host: HOST, path: '/', query: { 'max-keys': '2', prefix: 'J' }, headers: {}, at: AT },
    KEYS,
  )
  expect(signatureOf(list)).toBe('34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7')
})

test('a session token is sent and signed', () => {
  const headers = signedHeaders(
    { host: HOST, path: '/', query: {}, headers: {}, at: AT },
    { ...KEYS, sessionToken: 'token' },
  )
  expect(headers).toMatchObject({ 'x-amz-security-token': 'token' })
  expect(headers['authorization']).toContain('x-amz-security-token')
})

test('everything but letters, digits and -._~ is encoded', () => {
  expect(encoded(`a b/c*'()!é-._~`)).toBe('a%20b%2Fc%2A%27%28%29%21%C3%A9-._~')
})
