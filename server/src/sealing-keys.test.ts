import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSealingKeys, renewKeyFile } from './sealing-keys.ts'

async function emptyDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'boathouse-keys-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

test('the first start makes a key file that only its owner can read, and later starts find the same key', async () => {
  const directory = await emptyDirectory()
  const [first] = await openSealingKeys(directory, undefined)
  expect((await stat(join(directory, 'secret.key'))).mode & 0o777).toBe(0o600)
  expect((await openSealingKeys(directory, undefined))[0]).toEqual(first)
})

test('starts at the same moment agree on one key and leave nothing else behind', async () => {
  const directory = await emptyDirectory()
  const keys = await Promise.all(Array.from({ length: 8 }, () => openSealingKeys(directory, undefined)))
  expect(new Set(keys.map(([key]) => key.id)).size).toBe(1)
  expect(await readdir(directory)).toEqual(['secret.key'])
})

test('a key file that others can read stops the start', async () => {
  const directory = await emptyDirectory()
  await openSealingKeys(directory, undefined)
  await chmod(join(directory, 'secret.key'), 0o644)
  await expect(openSealingKeys(directory, undefined)).rejects.toThrow(/can be read by others/)
})

test('keys of the environment come before the file; the first seals', async () => {
  const [newest, old] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
  const directory = await emptyDirectory()
  const keys = await openSealingKeys(directory, `${newest},${old}`)
  expect(keys.map((key) => key.bytes.toString('base64'))).toEqual([newest, old])
  expect(await readdir(directory)).toEqual([])
})

test.each([
  ['too short', 'c2hvcnQ='],
  ['empty', ' '],
])('a key that is %s is refused without being repeated', async (_, key) => {
  const directory = await emptyDirectory()
  await expect(openSealingKeys(directory, key)).rejects.toThrow(
    /^BOATHOUSE_SECRET_KEY: a key is 32 random bytes/,
  )
  await writeFile(join(directory, 'secret.key'), key, { mode: 0o600 })
  await expect(openSealingKeys(directory, undefined)).rejects.toThrow(/secret.key: a key is 32 random bytes/)
})

test('a renewed key file seals with a new key, and still opens with the old one', async () => {
  const directory = await emptyDirectory()
  const [old] = await openSealingKeys(directory, undefined)
  await renewKeyFile(directory)
  const [newest, ...older] = await openSealingKeys(directory, undefined)
  expect(newest.id).not.toBe(old.id)
  expect(older).toEqual([old])
  expect(await readdir(directory)).toEqual(['secret.key'])
  expect((await stat(join(directory, 'secret.key'))).mode & 0o777).toBe(0o600)
})

test('without a key file there is no key to renew', async () => {
  await expect(renewKeyFile(await emptyDirectory())).rejects.toThrow(/The first start creates it/)
})
