import { region, user } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { signedCall } from '../../testing/signed-call.ts'
import { startApp } from '../../testing/start-app.ts'

const origin = 'https://eu-1.boathouse.example'

test('a central call is open to consoles of other origins, and no other call is [API-02]', async () => {
  const app = await startApp()
  const allowed = await app.http.inject({
    method: 'OPTIONS',
    url: `/api${region.list.path}`,
    headers: { origin },
  })
  expect(allowed.statusCode).toBe(204)
  expect(allowed.headers).toMatchObject({
    'access-control-allow-origin': origin,
    'access-control-allow-headers': expect.stringContaining('signature'),
  })
  const answer = signedCall(region.list, {}, { token: '', now: app.clock.now() })
  expect(
    (await app.http.inject({ ...answer, headers: { ...answer.headers, origin } })).headers,
  ).toMatchObject({
    'access-control-allow-origin': origin,
  })
  const refused = await app.http.inject({
    method: 'OPTIONS',
    url: `/api${user.info.path}`,
    headers: { origin },
  })
  expect(refused.statusCode).toBe(405)
  expect(refused.headers).not.toHaveProperty('access-control-allow-origin')
})
