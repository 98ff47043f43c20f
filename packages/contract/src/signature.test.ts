import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { newNonce, NONCE_PATTERN, sign, textToSign } from './signature.ts'

/** A fixed sequence of numbers below 2^32 (xorshift), so that a failure can be repeated. */
function seededNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
}

/** From every plane of Unicode, without halves of surrogate pairs. */
function textOf(length: number, next: () => number): string {
  const ranges = [0x80, 0x800, 0xd800, 0x1_0000, 0x11_0000]
  const points = Array.from({ length }, () => {
    const point = next() % (ranges[next() % ranges.length] ?? 0x80)
    return point >= 0xd800 && point < 0xe000 ? 0xfffd : point
  })
  return points.map((point) => String.fromCodePoint(point)).join('')
}

describe('the signature', () => {
  test('is HMAC-SHA-256 in hex, keyed by the token, over nonce, timestamp and body, a line each [API-10, API-11]', () => {
    const next = seededNumbers(4)
    for (let round = 0; round < 200; round++) {
      const token = textOf(next() % 90, next)
      const nonce = newNonce()
      const timestamp = String(next())
      const body = textOf(next() % 300, next)
      const text = `${nonce}\n${timestamp}\n${body}`
      const expected = createHmac('sha256', Buffer.from(token, 'utf8')).update(text, 'utf8').digest('hex')
      expect(textToSign({ nonce, timestamp, body })).toBe(text)
      expect(sign({ token, nonce, timestamp, body }), `round ${round}`).toBe(expected)
    }
  })

  test('is made of the largest body too', () => {
    const parts = { token: 'token', nonce: 'nonce', timestamp: '1', body: 'ü'.repeat(2 * 1024 * 1024) }
    expect(sign(parts)).toBe(createHmac('sha256', 'token').update(textToSign(parts)).digest('hex'))
  })

  test('can be made before sign-in and without a body [API-11]', () => {
    const expected = createHmac('sha256', '').update('n\n1\n').digest('hex')
    expect(sign({ token: '', nonce: 'n', timestamp: '1', body: '' })).toBe(expected)
  })

  const parts = { token: 'token', nonce: 'nonce', timestamp: '1', body: '{"a":1}' }
  test.each([
    ['token', 'tokem'],
    ['nonce', 'nonse'],
    ['timestamp', '2'],
    ['body', '{"a":2}'],
  ])('is another one when the %s differs [API-10]', (name, value) => {
    expect(sign({ ...parts, [name]: value })).not.toBe(sign(parts))
  })
})

test('a nonce is new each time and of the required form [API-11]', () => {
  const nonces = Array.from({ length: 100 }, newNonce)
  expect(new Set(nonces).size).toBe(100)
  for (const nonce of nonces) expect(nonce).toMatch(NONCE_PATTERN)
})
