import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeDataDirectory } from './data-directory.ts'
import { testDirectory } from './testing/store-kit.ts'

const isRoot = process.getuid?.() === 0

test('a data directory is made with the folders above it, and nothing is left in it', async () => {
  const directory = join(await testDirectory(), 'some', 'where', 'data')
  await makeDataDirectory(directory)
  await makeDataDirectory(directory)
  expect(await readdir(directory)).toEqual([])
  expect((await stat(directory)).mode & 0o777).toBe(0o711)
})

test.skipIf(!isRoot)(
  'a folder that others may use stays theirs; a closed one lets them pass (needs root)',
  async () => {
    const directory = await testDirectory()
    for (const [before, after] of [
      [0o1777, 0o1777],
      [0o700, 0o711],
    ] as const) {
      await chmod(directory, before)
      await makeDataDirectory(directory)
      expect((await stat(directory)).mode & 0o7777).toBe(after)
    }
  },
)

test.skipIf(!existsSync('/proc/self'))('a place where no folder can be made is said', async () => {
  for (const directory of ['/proc/x', '/proc/x/y', '/proc'])
    await expect(makeDataDirectory(directory)).rejects.toThrow(
      new RegExp(
        `^BOATHOUSE_DATA_DIR: ${directory} cannot be used, choose a folder that this user can write to \\(E.+\\)\\.$`,
      ),
    )
})

test('a file in its place, or above it, is said', async () => {
  const parent = await testDirectory()
  await writeFile(join(parent, 'file'), '')
  for (const path of ['file', 'file/data'])
    await expect(makeDataDirectory(join(parent, path))).rejects.toThrow(
      `BOATHOUSE_DATA_DIR: ${join(parent, path)} cannot be used`,
    )
})

test.skipIf(isRoot)('a folder that may not be written is said (needs an ordinary user)', async () => {
  const directory = join(await testDirectory(), 'closed')
  await mkdir(directory, { mode: 0o500 })
  await expect(makeDataDirectory(directory)).rejects.toThrow('cannot be used')
})
