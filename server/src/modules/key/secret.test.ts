import { expect, test } from 'vitest'
import { keyIdIn, newKeyId, newSecret } from './secret.ts'

test('a secret is bh_ and 32 characters, and names its key', () => {
  const keyId = newKeyId()
  const secret = newSecret(keyId)
  expect(secret).toMatch(/^bh_[0-9A-Za-z]{32}$/)
  expect(keyIdIn(secret)).toBe(keyId)
  expect(newSecret(keyId), 'each is another').not.toBe(secret)
})

test('a text with one letter changed, swapped or missing is not a secret', () => {
  const secret = newSecret('Abc12345')
  const other = (letter: string): string => (letter === 'x' ? 'y' : 'x')
  for (let at = 0; at < secret.length; at++) {
    const changed = secret.slice(0, at) + other(secret.charAt(at)) + secret.slice(at + 1)
    expect([changed, keyIdIn(changed)]).toEqual([changed, null])
    expect(keyIdIn(secret.slice(0, at) + secret.slice(at + 1))).toBeNull()
  }
  for (const text of ['', 'bh_', 'Not_the_one_1', `${secret} `, secret.toLowerCase().toUpperCase()])
    expect([text, keyIdIn(text)]).toEqual([text, null])
})
