import { CODES, query } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { MINUTES } from '../../testing/fake-clock.ts'
import { startApp } from '../../testing/start-app.ts'

async function exported() {
  const app = await startApp()
  const reader = await app.user(['db_admin'])
  const [answer] = await (await reader.channel()).run('SELECT 42 AS answer')
  const queryId = answer?.queryId ?? ''
  const { data } = await reader.call(query.exportResult, { queryId, format: 'csv' })
  return { app, reader, link: data }
}

test('HEAD describes what a link leads to, as often as it is sent, and does not use it up', async () => {
  const { app, link } = await exported()
  for (let asked = 0; asked < 3; asked++) {
    const looked = await app.http.inject({ method: 'HEAD', url: link.url })
    expect(looked.statusCode).toBe(200)
    expect(looked.body).toBe('')
    expect(looked.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-length': String(link.sizeBytes),
      'content-disposition': `attachment; filename="${link.fileName}"`,
      'cache-control': 'no-store',
    })
  }
  expect((await app.http.inject(link.url)).body).toMatch(/^answer\r?\n42\r?\n$/)
  expect((await app.http.inject({ method: 'HEAD', url: link.url })).statusCode).toBe(404)
  expect((await app.http.inject(link.url)).json()).toMatchObject({ code: CODES.NotFound.code })
})

test('HEAD reveals nothing of an expired link', async () => {
  const { app, link } = await exported()
  app.clock.advance(10 * MINUTES)
  expect((await app.http.inject({ method: 'HEAD', url: link.url })).statusCode).toBe(404)
})

test('HEAD reveals nothing to users who may no longer read', async () => {
  const { app, reader, link } = await exported()
  await app.store.pool.query(
    'update user_roles set active = false where user_id = (select user_id from users where name = $1)',
    [reader.name],
  )
  expect((await app.http.inject({ method: 'HEAD', url: link.url })).statusCode).toBe(403)
})
