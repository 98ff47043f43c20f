import { expect, it } from 'vitest'
import { ByteQueue } from './byte-queue.ts'

it('gives bytes back in their order, whatever the pieces', () => {
  const queue = new ByteQueue()
  const whole = Buffer.from(Array.from({ length: 100_000 }, (_, at) => at % 251))
  for (let from = 0, piece = 0; from < whole.length; from += piece++)
    queue.push(whole.subarray(from, from + piece))
  expect(queue.length).toBe(whole.length)
  const taken: Buffer[] = []
  for (let count = 1; queue.length > 0; count = Math.min(2 * count, queue.length)) {
    expect(queue.peek(count)).toHaveLength(count)
    taken.push(queue.take(count))
  }
  expect(Buffer.concat(taken).equals(whole)).toBe(true)
})

it('keeps a few pieces of what arrives byte by byte', () => {
  const queue = new ByteQueue()
  const byte = Buffer.from('x')
  for (let count = 0; count < 200_000; count++) queue.push(byte)
  expect(queue.length).toBe(200_000)
  expect(queue.pieces).toBeLessThan(50)
  expect(queue.take(200_000).equals(Buffer.alloc(200_000, 'x'))).toBe(true)
})
