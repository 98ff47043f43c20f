import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSealer, KEY_BYTES, sealingKey } from './sealing.ts'

const newKey = () => sealingKey(randomBytes(KEY_BYTES))

test('a sealed text can be opened where it was sealed for, and reveals nothing', () => {
  const sealer = createSealer([newKey()])
  const sealed = sealer.seal('an oar, a boat: ä', 'shed 1')
  expect(sealed).not.toContain('oar')
  expect(sealer.open(sealed, 'shed 1')).toBe('an oar, a boat: ä')
  expect(sealer.seal('an oar, a boat: ä', 'shed 1')).not.toBe(sealed)
})

test('a sealed value that was moved, changed or cut short is not opened', () => {
  const sealer = createSealer([newKey()])
  const sealed = sealer.seal('an oar', 'shed 1')
  const [version, id, text = ''] = sealed.split('.')
  const bytes = Buffer.from(text, 'base64url')
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  expect(() => sealer.open(sealed, 'shed 2')).toThrow(/authenticate/)
  expect(() => sealer.open(`${version}.${id}.${bytes.toString('base64url')}`, 'shed 1')).toThrow(
    /authenticate/,
  )
  expect(() => sealer.open(`${version}.${id}.${text.slice(0, 12)}`, 'shed 1')).toThrow(/authentication tag/)
})

test('after a new key old values still open, and are known to be sealed by the old one', () => {
  const [old, fresh] = [newKey(), newKey()]
  const sealed = createSealer([old]).seal('an oar', 'shed 1')
  const sealer = createSealer([fresh, old])
  expect(sealer.open(sealed, 'shed 1')).toBe('an oar')
  expect(sealed.startsWith(sealer.newestPrefix)).toBe(false)
  expect(sealer.seal('an oar', 'shed 1').startsWith(sealer.newestPrefix)).toBe(true)
})

test('a value whose key is gone is refused with what to do about it', () => {
  const sealed = createSealer([newKey()]).seal('an oar', 'shed 1')
  expect(() => createSealer([newKey()]).open(sealed, 'shed 1')).toThrow(/Add it to BOATHOUSE_SECRET_KEY/)
})
