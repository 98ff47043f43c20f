import { chmodSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hostUser, isPassableByAll, isReadableByAll } from './host-user.ts'

/** A host's file and an account's folder inside a folder with this mode. */
function placed(mode: number) {
  const parent = mkdtempSync(join(tmpdir(), 'boathouse user-'))
  onTestFinished(() => rmSync(parent, { recursive: true }))
  const hostPath = join(parent, 'engine-host.js')
  writeFileSync(hostPath, '', { mode: 0o644 })
  const directory = mkdtempSync(join(parent, 'acc-'))
  chmodSync(parent, mode)
  return { accountId: 'acc', hostPath, directory }
}

test('knows what everybody can reach', () => {
  const open = placed(0o711)
  expect(isReadableByAll(open.hostPath)).toBe(true)
  chmodSync(open.hostPath, 0o640)
  expect(isReadableByAll(open.hostPath)).toBe(false)
  const shut = placed(0o700)
  expect(isReadableByAll(shut.hostPath)).toBe(false)
  expect(isPassableByAll(shut.directory)).toBe(false)
})

test('keeps the user where the program or the folder is out of reach', () => {
  const { directory, ...needs } = placed(0o700)
  expect(hostUser({ ...needs, directory })).toBeNull()
  expect(statSync(directory).uid).toBe(process.getuid?.())
})

test.runIf(process.getuid?.() !== 0)('keeps the user when it is an ordinary one', () => {
  expect(hostUser(placed(0o711))).toBeNull()
})

test.runIf(process.getuid?.() === 0)(
  'gives each account a user, the same every time, and its folder with it',
  () => {
    const needs = placed(0o711)
    writeFileSync(join(needs.directory, 'file'), '')
    symlinkSync('/etc/passwd', join(needs.directory, 'link'))
    const user = hostUser(needs)
    expect(user).toEqual(hostUser(needs))
    expect(user).not.toEqual(hostUser({ ...needs, accountId: 'other' }))
    const again = hostUser(needs)
    for (const path of [needs.directory, join(needs.directory, 'file')]) {
      expect(statSync(path)).toMatchObject(again ?? {})
    }
    expect(statSync('/etc/passwd').uid).toBe(0)
  },
)
