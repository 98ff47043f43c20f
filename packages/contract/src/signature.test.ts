import { createHash, createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { hmacSha256, sha256, toHex } from './sha256.ts'
import { newNonce, NONCE_PATTERN, sign } from './signature.ts'

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

const bytesOf = (length: number, next: () => number): Uint8Array =>
  Uint8Array.from({ length }, () => next() & 0xff)

/** From every plane of Unicode, without halves of surrogate pairs. */
function textOf(length: number, next: () => number): string {
  const ranges = [0x80, 0x800, 0xd800, 0x1_0000, 0x11_0000]
  const points = Array.from({ length }, () => {
    const point = next() % (ranges[next() % ranges.length] ?? 0x80)
    return point >= 0xd800 && point < 0xe000 ? 0xfffd : point
  })
  return points.map((point) => String.fromCodePoint(point)).join('')
}

describe('SHA-256 and HMAC give what the platform gives', () => {
  test('for messages of 0 to 200 bytes, across every padding boundary', () => {
    const next = seededNumbers(1)
    for (let length = 0; length <= 200; length++) {
      const message = bytesOf(length, next)
      expect(toHex(sha256(message)), `length ${length}`).toBe(
        createHash('sha256').update(message).digest('hex'),
      )
    }
  })

  test('for keys of 0 to 200 bytes, shorter and longer than a block', () => {
    const next = seededNumbers(2)
    for (let length = 0; length <= 200; length++) {
      const key = bytesOf(length, next)
      const message = bytesOf(next() % 300, next)
      const expected = createHmac('sha256', key).update(message).digest('hex')
      expect(toHex(hmacSha256(key, message)), `key length ${length}`).toBe(expected)
    }
  })

  test('for a message of the size of a large body', () => {
    const message = bytesOf(300_001, seededNumbers(3))
    expect(toHex(sha256(message))).toBe(createHash('sha256').update(message).digest('hex'))
  })
})

describe('the signature', () => {
  test('is HMAC-SHA-256 in hex, keyed by the token, over nonce, timestamp and body, a line each [API-10, API-11]', () => {
    const next = seededNumbers(4)
    for (let round = 0; round < 200; round++) {
      const token = textOf(next() % 90, next)
      const nonce = newNonce()
      const timestamp = String(next())
      const body = textOf(next() % 300, next)
      const expected = createHmac('sha256', Buffer.from(token, 'utf8'))
        .update(`${nonce}\n${timestamp}\n${body}`, 'utf8')
        .digest('hex')
      expect(sign({ token, nonce, timestamp, body }), `round ${round}`).toBe(expected)
    }
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

test('a nonce is new each time and of the form that is asked for [API-11]', () => {
  const nonces = Array.from({ length: 100 }, newNonce)
  expect(new Set(nonces).size).toBe(100)
  for (const nonce of nonces) expect(nonce).toMatch(NONCE_PATTERN)
})
