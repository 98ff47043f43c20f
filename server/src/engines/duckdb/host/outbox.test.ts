import { expect, test } from 'vitest'
import { Outbox } from './outbox.ts'

function recorded() {
  const sent: string[][] = []
  return { sent, outbox: new Outbox<string>((messages) => void sent.push(messages)) }
}

test('messages of one moment are one message, in their order', async () => {
  const { sent, outbox } = recorded()
  outbox.add('execute')
  await Promise.resolve()
  outbox.add('cancel')
  expect(sent).toEqual([])
  await expect.poll(() => sent).toEqual([['execute', 'cancel']])
  outbox.add('close')
  await expect.poll(() => sent).toEqual([['execute', 'cancel'], ['close']])
})

test('what must not wait goes at once, behind what was said before', async () => {
  const { sent, outbox } = recorded()
  outbox.add('answer')
  outbox.flush()
  expect(sent).toEqual([['answer']])
  await new Promise((resolve) => setImmediate(resolve))
  outbox.flush()
  expect(sent).toEqual([['answer']])
})
