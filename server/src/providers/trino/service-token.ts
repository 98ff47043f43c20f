import { createHmac } from 'node:crypto'

/** By this name the service signs in; users are named beside it. */
export const SERVICE_USER = 'boathouse'
const LIFE_S = 300

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A JSON web token that only somebody with the cluster's key can sign (RFC 7519, HS256). */
export function serviceToken(key: string, now: Date): string {
  const issuedAt = Math.floor(now.getTime() / 1000)
  const content = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: SERVICE_USER, iat: issuedAt, exp: issuedAt + LIFE_S })}`
  const signature = createHmac('sha256', Buffer.from(key, 'base64')).update(content).digest('base64url')
  return `${content}.${signature}`
}
