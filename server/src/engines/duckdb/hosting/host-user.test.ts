import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { closedFolder, hostUser, hostUsers } from './host-user.ts'

const isRoot = process.getuid?.() === 0

/** An account's folder inside a folder with this mode. */
function placed(mode: number): string {
  const parent = mkdtempSync(join(tmpdir(), 'boathouse user-'))
  onTestFinished(() => rmSync(parent, { recursive: true }))
  const directory = mkdtempSync(join(parent, 'acc-'))
  chmodSync(parent, mode)
  return directory
}

test('finds the folder that is closed to others', async () => {
  expect(await closedFolder(dirname(placed(0o711)))).toBeNull()
  const directory = placed(0o700)
  expect(await closedFolder(directory)).toBe(dirname(directory))
})

test.runIf(!isRoot)('keeps the user when it is an ordinary one, who has no others to give', async () => {
  expect(hostUsers()).toBeNull()
  expect(await hostUser({ osUser: null, directory: placed(0o711) })).toBeNull()
})

test.runIf(isRoot)(
  'as root refuses, and never keeps the user, where its folder is out of reach',
  async () => {
    const directory = placed(0o700)
    await expect(hostUser({ osUser: 61_200, directory })).rejects.toThrow(
      `Statements never run as root, and other users cannot pass through ${dirname(directory)}: let them (chmod o+x)`,
    )
    expect(statSync(directory).uid).toBe(0)
  },
)

test.runIf(isRoot)('as root refuses where no user was chosen', async () => {
  await expect(hostUser({ osUser: null, directory: placed(0o711) })).rejects.toThrow('never run as root')
})

test.runIf(isRoot)(
  'gives the folder and all in it to the user, also what belonged to another one before',
  async () => {
    const directory = placed(0o711)
    mkdirSync(join(directory, 'results'))
    writeFileSync(join(directory, 'results', 'file'), '')
    symlinkSync('/etc/passwd', join(directory, 'link'))
    const paths = [directory, join(directory, 'results'), join(directory, 'results', 'file')]
    for (const osUser of [61_200, 61_201]) {
      expect(await hostUser({ osUser, directory })).toEqual({ uid: osUser, gid: osUser })
      for (const path of paths) expect(statSync(path)).toMatchObject({ uid: osUser, gid: osUser })
    }
    expect(statSync(directory).mode & 0o777).toBe(0o700)
    expect(statSync('/etc/passwd').uid).toBe(0)
  },
)
