import { readFile } from 'node:fs/promises'
import { callAs, isCallError, openSession, signIn } from '@boathouse/client'
import { runExample } from '@boathouse/client/example'
import { user } from '@boathouse/contract'
import { afterEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { startApp } from '../../testing/start-app.ts'

const inRepository = (path: string) => new URL(`../../../../${path}`, import.meta.url)

/** The whole server, and how to sign in to it; the client's clock stands where the server's does. */
async function startServer() {
  const app = await startApp()
  vi.useFakeTimers({ toFake: ['Date'], now: app.clock.now() })
  return { url: await app.url(), accountId: app.accountId, username: 'admin', password: app.password }
}

afterEach(() => {
  vi.useRealTimers()
})

test('the example of the documents signs in, makes a call and runs a statement', async () => {
  const { url, accountId, password } = await startServer()
  const said: string[] = []
  await runExample((line) => said.push(line), { URL: url, ACCOUNT: accountId, PASSWORD: password })
  expect(said).toEqual(['default_warehouse is Suspended', 'answer = 42'])
})

test('the documents show the example as it is', async () => {
  const example = await readFile(inRepository('packages/client/src/example.ts'), 'utf8')
  expect(await readFile(inRepository('docs/protocols.md'), 'utf8')).toContain(`\`\`\`ts\n${example}\`\`\``)
})

test('a wrong password and an unknown token are refused with the names of their codes', async () => {
  const who = await startServer()
  await expect(signIn({ ...who, password: 'Rowing_1999' })).rejects.toMatchObject({ codeName: 'LoginFailed' })
  const refused = await callAs({ url: who.url, token: 'nobody' }, user.info, {}).catch(
    (error: unknown) => error,
  )
  expect(isCallError(refused) && refused.codeName).toBe('LoginRequired')
})

test('an unreachable service is reported at once', async () => {
  const login = { url: 'http://127.0.0.1:1', token: 'nobody' }
  await expect(openSession(login, { WebSocket })).rejects.toThrow('The realtime channel cannot be opened')
  await expect(callAs(login, user.info, {})).rejects.toMatchObject({ codeName: 'NetworkError' })
})

test('a session continues where it was when its channel is closed and opened again', async () => {
  const session = await openSession(await signIn(await startServer()), { WebSocket })
  const { connId } = await session.run('select 1')
  const reopened = new Promise<void>((resolve) => {
    session.channel.on('status', (status) => status === 'open' && resolve())
  })
  session.channel.close()
  session.channel.open()
  await reopened
  expect((await session.run('select 2')).connId).toBe(connId)
  session.close()
})
