import { writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isDiskFull } from './disk-full.ts'

test.skipIf(!existsSync('/dev/full'))('what the system says of a full disk is known', async () => {
  const refusal: unknown = await writeFile('/dev/full', 'x').catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(Error)
  expect(isDiskFull(refusal)).toBe(true)
})

test('so is what PostgreSQL and engines say of it, and nothing else', () => {
  const ofPostgres = Object.assign(new Error('could not extend file "base/5/1"'), { code: '53100' })
  expect(isDiskFull(ofPostgres)).toBe(true)
  expect(
    isDiskFull(new Error('Failed to commit: Could not write file "x.wal": No space left on device')),
  ).toBe(true)
  expect(isDiskFull(new Error('No space left on the page'))).toBe(false)
  expect(isDiskFull(Object.assign(new Error('a key is there twice'), { code: '23505' }))).toBe(false)
  expect(isDiskFull('ENOSPC')).toBe(false)
})
