import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { assistant, audit, CODES } from '@boathouse/contract'
import { expect, onTestFinished, test } from 'vitest'
import { startApp } from '../../testing/start-app.ts'

interface Heard {
  readonly path: string
  readonly authorization: string | undefined
  readonly body: { readonly model: string; readonly messages: readonly { role: string; content: string }[] }
}

interface Answered {
  readonly status?: number
  readonly body?: string
  /** It ends in the middle of its answer. */
  readonly isCut?: boolean
}

const said = (content: string) => JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] })

/** Something that speaks the same protocol, on this machine. */
async function openModel(answer: () => Answered = () => ({ body: said('Use a comma.') })) {
  const heard: Heard[] = []
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString()) as Heard['body']
      heard.push({ path: request.url ?? '', authorization: request.headers.authorization, body })
      const { status = 200, body: text = '', isCut = false } = answer()
      response.writeHead(status, { 'content-type': 'application/json', location: '/elsewhere' })
      if (isCut) response.write(text, () => request.socket.destroy())
      else response.end(text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { heard, host: `127.0.0.1:${port}` }
}

const settingsOf = (host: string) => ({
  BOATHOUSE_ASSISTANT_URL: `http://${host}/v1/`,
  BOATHOUSE_ASSISTANT_MODEL: 'small-one',
  BOATHOUSE_ASSISTANT_KEY: 'key-of-the-model',
})

test('without a model there is no assistant, and it is said who can change that', async () => {
  const app = await startApp()
  const admin = await app.admin()
  expect((await admin.call(assistant.about, {})).data).toEqual({ assistant: null })
  const asked = await admin.call(assistant.ask, { task: 'draft', text: 'How many?' })
  expect(asked).toMatchObject({ code: CODES.NotFound.code })
  expect(asked.message).toContain('BOATHOUSE_ASSISTANT_URL')
})

test('exactly the text that was confirmed is sent, and the audit log says that something was', async () => {
  const model = await openModel()
  const app = await startApp(settingsOf(model.host))
  const analyst = await app.user([])
  expect((await analyst.call(assistant.about, {})).data).toEqual({
    assistant: { host: model.host, model: 'small-one' },
  })
  const text = 'select 1 2\n\nError: syntax error at 2'
  const { data } = await analyst.call(assistant.ask, { task: 'error', text })
  expect(data).toEqual({ answer: 'Use a comma.' })
  expect(model.heard).toHaveLength(1)
  const [{ path, authorization, body } = { path: '', authorization: '', body: null }] = model.heard
  expect({ path, authorization }).toEqual({
    path: '/v1/chat/completions',
    authorization: 'Bearer key-of-the-model',
  })
  expect(body?.model).toBe('small-one')
  expect(body?.messages.map(({ role }) => role)).toEqual(['system', 'user'])
  expect(body?.messages[1]?.content).toBe(text)
  const { entries } = (await (await app.admin()).call(audit.list, {})).data
  const noted = entries.find(({ action }) => action === 'assistant.ask')
  expect(noted).toBeDefined()
  expect(JSON.stringify(entries)).not.toContain('select 1 2')
})

test.each([
  ['a refusal', { status: 401, body: 'key-of-the-model is wrong' }, 'answered with status 401'],
  ['a redirect', { status: 302 }, 'cannot be reached'],
  ['half an answer', { body: '{"choices":', isCut: true }, 'cannot be reached'],
  ['no JSON', { body: 'no JSON' }, 'did not answer in JSON'],
  ['no choice', { body: '{"choices":[]}' }, 'nothing that can be shown'],
  ['an empty answer', { body: said('  ') }, 'nothing that can be shown'],
  ['a flood', { body: `"${'x'.repeat(600 * 1024)}"` }, 'more than it should'],
])('of %s users get a sentence, without what was in it', async (_, answered, sentence) => {
  const model = await openModel(() => answered)
  const app = await startApp(settingsOf(model.host))
  const admin = await app.admin()
  const { code, message } = await admin.call(assistant.ask, { task: 'statement', text: 'select 1' })
  expect({ code, message }).toEqual({
    code: CODES.Unavailable.code,
    message: expect.stringContaining(sentence),
  })
  expect(message).not.toContain('key-of-the-model')
})

test('a user who asks and asks has to wait, and another one has not', async () => {
  const model = await openModel()
  const app = await startApp(settingsOf(model.host))
  const [one, other] = [await app.user([]), await app.user([])]
  const ask = (user: typeof one) => user.call(assistant.ask, { task: 'draft', text: 'How many?' })
  const codes = new Set<number>()
  for (let at = 0; at < 25; at++) codes.add((await ask(one)).code)
  expect(codes).toContain(CODES.TooManyAttempts.code)
  expect((await ask(other)).code).toBe(CODES.Ok.code)
})
