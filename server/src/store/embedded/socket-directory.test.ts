import { chmod, mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testDirectory } from '../../testing/store-kit.ts'
import { chooseSocketDirectory, makeSocketDirectory } from './socket-directory.ts'

const homeAt = (directory: string) => ({ dataDir: directory, directory, runAs: undefined })
const long = `/${'x'.repeat(90)}`

test('the socket lies beside the database where the system allows a path that long', () => {
  const limit = (process.platform === 'linux' ? 107 : 103) - '/run/.s.PGSQL.5432'.length
  const fitting = `/${'x'.repeat(limit - 1)}`
  expect(chooseSocketDirectory(homeAt(fitting))).toBe(`${fitting}/run`)
  expect(chooseSocketDirectory(homeAt(`${fitting}x`), ['/tmp'])).toMatch(/^\/tmp\/boathouse-[0-9a-f]{12}$/)
})

test('bytes count, not letters', () => {
  expect(chooseSocketDirectory(homeAt(`/${'é'.repeat(50)}`), ['/tmp'])).toMatch(/^\/tmp\//)
})

test('two databases with long paths do not share a socket', () => {
  expect(chooseSocketDirectory(homeAt(`${long}/a`), ['/tmp'])).not.toBe(
    chooseSocketDirectory(homeAt(`${long}/b`), ['/tmp']),
  )
})

test('a temporary directory that is too long itself is passed over', () => {
  expect(chooseSocketDirectory(homeAt(long), [long, '/tmp'])).toMatch(/^\/tmp\//)
  expect(() => chooseSocketDirectory(homeAt(long), [long])).toThrow('too long a path for a socket')
})

test('a folder that others may enter, or a link to one, is not used for the socket', async () => {
  const parent = await testDirectory()
  const [open, link] = [join(parent, 'open'), join(parent, 'link')]
  await mkdir(open)
  await chmod(open, 0o755)
  await symlink(open, link)
  await expect(makeSocketDirectory(open, homeAt(parent))).rejects.toThrow(
    `${open} must be a private folder of user id`,
  )
  await expect(makeSocketDirectory(link, homeAt(parent))).rejects.toThrow(
    `${link} must be a private folder of user id`,
  )
})
