import { chmodSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hostUser, isPassableByAll } from './host-user.ts'

/** An account's folder inside a folder with this mode. */
function placed(mode: number) {
  const parent = mkdtempSync(join(tmpdir(), 'boathouse user-'))
  onTestFinished(() => rmSync(parent, { recursive: true }))
  const directory = mkdtempSync(join(parent, 'acc-'))
  chmodSync(parent, mode)
  return { accountId: 'acc', directory }
}

test('knows where everybody can pass', () => {
  expect(isPassableByAll(join(placed(0o711).directory, '..'))).toBe(true)
  expect(isPassableByAll(placed(0o700).directory)).toBe(false)
})

test('keeps the user where the folder is out of reach', () => {
  const needs = placed(0o700)
  expect(hostUser(needs)).toBeNull()
  expect(statSync(needs.directory).uid).toBe(process.getuid?.())
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
