import { once } from 'node:events'
import { expect, test } from 'vitest'
import { startReceiver } from '../../testing/webhook-receiver.ts'
import { createWebhookSender } from './webhook-sender.ts'

const message = (url: string) => ({ url, headers: { 'content-type': 'application/json' }, body: '{"a":"ü"}' })

test('an address inside the network of the operator is refused, by number, by name, and without TLS', async () => {
  const receiver = await startReceiver()
  const sender = createWebhookSender({ openEndpoints: [] })
  const inward = [
    'https://10.0.0.7/hook',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/hook',
    'https://[::ffff:127.0.0.1]/hook',
    'https://2130706433/hook',
    'https://localhost/hook',
  ]
  for (const url of inward)
    await expect(sender.send(message(url))).rejects.toThrow('it is in a private network')
  for (const url of inward.slice(0, -1)) expect(() => sender.requireAllowed(url)).toThrow('private network')
  expect(() => sender.requireAllowed('http://example.com/hook')).toThrow('it does not use TLS')
  await expect(sender.send(message(receiver.url))).rejects.toThrow('private network')
  expect(receiver.received).toEqual([])
})

test('only the very address that was opened is reached', async () => {
  const opened = await startReceiver()
  const other = await startReceiver()
  const sender = createWebhookSender({ openEndpoints: [opened.origin] })
  expect(await sender.send(message(opened.url))).toEqual({ status: 200, body: 'thanks' })
  expect(opened.received).toMatchObject([{ path: '/hook?key=1', body: '{"a":"ü"}' }])
  await expect(sender.send(message(other.url))).rejects.toThrow('private network')
})

test('a redirect inward is an answer, and is not followed', async () => {
  const inside = await startReceiver()
  const receiver = await startReceiver()
  receiver.answerWith((response) => void response.writeHead(307, { location: inside.url }).end())
  const sender = createWebhookSender({ openEndpoints: [receiver.origin] })
  expect((await sender.send(message(receiver.url))).status).toBe(307)
  expect(inside.received).toEqual([])
})

test('a receiver that hangs, before its answer or within it, is left after the time limit', async () => {
  const receiver = await startReceiver()
  const sender = createWebhookSender({ openEndpoints: [receiver.origin], patienceMs: 200 })
  receiver.answerWith(() => undefined)
  await expect(sender.send(message(receiver.url))).rejects.toThrow('it does not answer within 0.2 s')
  receiver.answerWith((response) => {
    response.writeHead(200)
    const drip = setInterval(() => response.write('.'), 20)
    response.on('close', () => clearInterval(drip))
  })
  await expect(sender.send(message(receiver.url))).rejects.toThrow('it does not answer within 0.2 s')
})

test('of an answer of 10 MB, or of one that never ends, 4 KB are read and the rest is not waited for', async () => {
  const receiver = await startReceiver()
  const sender = createWebhookSender({ openEndpoints: [receiver.origin] })
  receiver.answerWith((response) => void response.writeHead(500).end(Buffer.alloc(10_000_000, 'x')))
  expect(await sender.send(message(receiver.url))).toEqual({ status: 500, body: 'x'.repeat(4096) })
  let closed: Promise<unknown> | undefined
  receiver.answerWith((response) => {
    closed = once(response, 'close')
    const more = () => response.write(Buffer.alloc(65_536, 'y'))
    response.on('drain', more)
    more()
  })
  expect(await sender.send(message(receiver.url))).toEqual({ status: 200, body: 'y'.repeat(4096) })
  await closed
})

test('an answer that is no text is kept as one', async () => {
  const receiver = await startReceiver()
  receiver.answerWith((response) => void response.end(Buffer.from([0, 0xff, 0x41])))
  const sender = createWebhookSender({ openEndpoints: [receiver.origin] })
  expect((await sender.send(message(receiver.url))).body).toBe('\uFFFD\uFFFDA')
})
