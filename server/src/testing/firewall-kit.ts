import { type Call, firewall, type Sent } from '@boathouse/contract'
import { signedCall } from './signed-call.ts'
import { type Answer, startApp, type TestApp, type TestUser } from './start-app.ts'

/** Of the range that the tests let in, and of none. Requests without a word about it come from `127.0.0.1`. */
export const OFFICE = '198.51.100.0/24'
export const AT_OFFICE = '198.51.100.7'
export const ELSEWHERE = '203.0.113.9'

/** Behind a proxy, so that a request can come from anywhere. */
export async function startFirewallApp(settings: Record<string, string> = {}) {
  const app = await startApp({ BOATHOUSE_TRUST_PROXY: '1', ...settings })
  const guard = await app.user(['security_admin'])
  return { app, guard }
}

export const from = (address: string) => ({ 'x-forwarded-for': address })

/** With a login, or without for an empty token. */
export async function callFrom<C extends Call>(
  { app, token, address }: { app: TestApp; token: string; address: string },
  call: C,
  input: Sent<C>,
): Promise<Answer<C>> {
  const signed = signedCall(call, input, { token, now: app.clock.now() })
  const answer = await app.http.inject({ ...signed, headers: { ...signed.headers, ...from(address) } })
  return answer.json<Answer<C>>()
}

/** Enabled by somebody who is in the office, so that it holds at once and for good. */
export const letInOffice = (app: TestApp, guard: TestUser) =>
  callFrom({ app, token: guard.token, address: AT_OFFICE }, firewall.createRule, {
    name: 'Office',
    addresses: OFFICE,
    enabled: true,
  })
