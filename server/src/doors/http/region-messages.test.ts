import { CODES } from '@boathouse/contract'
import { expect, test } from 'vitest'
import {
  REGION_HEADERS,
  REGION_MESSAGES_PATH,
  secretOfRegion,
  type SignedMessage,
  signatureOf,
} from '../../kernel/region-signature.ts'
import { MINUTES } from '../../testing/fake-clock.ts'
import { startApp, type TestApp } from '../../testing/start-app.ts'
import { REGION, REGIONS_SECRET, startTwoRegions } from '../../testing/two-regions.ts'

const secret = secretOfRegion(REGIONS_SECRET, REGION)

/** The code of the answer. */
async function send(app: TestApp, message: SignedMessage, signature = signatureOf(secret, message)) {
  const answer = await app.http.inject({
    method: 'POST',
    url: REGION_MESSAGES_PATH,
    headers: {
      'content-type': 'application/json',
      [REGION_HEADERS.from]: message.from,
      [REGION_HEADERS.to]: message.to,
      [REGION_HEADERS.at]: message.at,
      [REGION_HEADERS.nonce]: message.nonce,
      [REGION_HEADERS.signature]: signature,
    },
    payload: message.body,
  })
  return answer.json<{ code: number }>().code
}

const SYNC = JSON.stringify({
  kind: 'sync',
  accounts: [],
  keptUsage: [],
  keptStorage: [],
  wantsUsage: false,
})

test('messages are answered only to a server that has the secret of its region, for itself, and once', async () => {
  const { central, region } = await startTwoRegions()
  const own = {
    from: '@central',
    to: REGION,
    at: String(region.clock.now().getTime()),
    nonce: 'n'.repeat(20),
    body: SYNC,
  }
  const { code: bad } = CODES.BadSignature
  const { code: stale } = CODES.StaleRequest
  expect(await send(region, own, 'x')).toBe(bad)
  const ofOther = signatureOf(secretOfRegion(REGIONS_SECRET, 'us-9'), own)
  expect(await send(region, own, ofOther), 'the secret of another region').toBe(bad)
  expect(await send(region, { ...own, to: 'us-9' }), 'for another region').toBe(bad)
  expect(await send(region, { ...own, from: REGION }), 'from a region').toBe(bad)
  const toCentral = { ...own, from: REGION, to: '@central' }
  expect(await send(central, toCentral), 'a region gives no orders').toBe(bad)
  const old = { ...own, at: String(region.clock.now().getTime() - 6 * MINUTES) }
  expect(await send(region, old)).toBe(stale)
  expect(await send(region, { ...own, at: 'never' })).toBe(stale)
  expect(await send(region, { ...own, nonce: '' })).toBe(stale)
  expect(await send(region, { ...own, nonce: 'b'.repeat(20), body: '{"kind":"open sesame"}' })).toBe(
    CODES.BadInput.code,
  )
  expect(await send(region, own)).toBe(CODES.Ok.code)
  expect(await send(region, own), 'twice').toBe(stale)
  expect(await send(await startApp(), own), 'without regions').toBe(CODES.UnknownCall.code)
})

test('a region gets nothing about organisations that have no account in it', async () => {
  const { central } = await startTwoRegions()
  const body = JSON.stringify({ kind: 'organisation', accountId: central.accountId, withDeleted: true })
  const at = String(central.clock.now().getTime())
  expect(await send(central, { from: REGION, to: '@central', at, nonce: 'o'.repeat(20), body })).toBe(
    CODES.NotFound.code,
  )
})
