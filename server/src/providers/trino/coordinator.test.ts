import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { addressOf, hasStarted, runStatement } from './coordinator.ts'

/** Does what no real server does on request. */
async function aNode(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, tokenKey: Buffer.from('key').toString('base64') }
}

test.each([
  ['is no JSON', 'not JSON', '<html>', 200],
  ['is of somebody else', 'something that no node says', '{"ok":true}', 200],
  ['is a refusal', 'the status 503', 'busy', 503],
])('an answer that %s is reported in a sentence', async (_, sentence, body, status) => {
  const node = await aNode((_request, response) => response.writeHead(status).end(body))
  await expect(hasStarted(node)).rejects.toThrow(sentence)
})

test('a node that does not answer is waited for as long as asked', async () => {
  const node = await aNode(() => undefined)
  await expect(hasStarted(node, 100)).rejects.toThrow('timeout')
})

test('an answer without an end is cut off', async () => {
  const node = await aNode((_request, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
      response.once('drain', more)
    }
    more()
  })
  await expect(hasStarted(node)).rejects.toThrow('its answer has no end')
})

test('links are followed at the address of the node, whatever they begin with', async () => {
  const node = await aNode((request, response) => {
    const isFirst = request.method === 'POST'
    const next = { nextUri: 'https://elsewhere.example/v1/statement/next?slug=1' }
    response.end(JSON.stringify(isFirst ? next : { data: [[request.url]] }))
  })
  expect(addressOf(1, 'https://elsewhere.example/a?b=c')).toBe('http://127.0.0.1:1/a?b=c')
  expect(await runStatement(node, 'select 1')).toEqual([['/v1/statement/next?slug=1']])
})

test('a statement that fails says why, without stacks', async () => {
  const message = `line 1:1: it is wrong\n${'\tat a.b.C\n'.repeat(2000)}`
  const node = await aNode((_request, response) => response.end(JSON.stringify({ error: { message } })))
  await expect(runStatement(node, 'select')).rejects.toThrow(/^line 1:1: it is wrong$/)
})
