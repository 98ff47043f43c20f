import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { findAccountsDirectory } from './accounts-directory.ts'

/** A data directory behind a folder of this mode, and a place of the system beside it. */
async function placed(mode: number) {
  const top = await mkdtemp(join(tmpdir(), 'boathouse-accounts-'))
  onTestFinished(() => rm(top, { recursive: true, force: true }))
  await chmod(top, 0o755)
  const dataDir = join(top, 'home', 'data')
  await mkdir(dataDir, { recursive: true })
  await chmod(dataDir, 0o711)
  await chmod(join(top, 'home'), mode)
  return { dataDir, system: join(top, 'system') }
}

test('accounts are in the data directory where everybody can pass', async () => {
  const { dataDir, system } = await placed(0o755)
  expect(await findAccountsDirectory(dataDir, system)).toBe(join(dataDir, 'accounts'))
})

describe.runIf(process.getuid?.() === 0)('as root, behind a closed folder', () => {
  test('accounts are in a place of the system, and stay there', async () => {
    const { dataDir, system } = await placed(0o700)
    const found = await findAccountsDirectory(dataDir, system)
    expect(found.startsWith(system)).toBe(true)
    expect((await stat(found)).mode & 0o777).toBe(0o711)
    await chmod(join(dataDir, '..'), 0o755)
    expect(await findAccountsDirectory(dataDir, system)).toBe(found)
  })

  test('those that were in the data directory move there with all they have', async () => {
    const { dataDir, system } = await placed(0o700)
    await mkdir(join(dataDir, 'accounts', 'ABC12345'), { recursive: true })
    await writeFile(join(dataDir, 'accounts', 'ABC12345', 'file'), 'kept')
    const found = await findAccountsDirectory(dataDir, system)
    expect(await readFile(join(found, 'ABC12345', 'file'), 'utf8')).toBe('kept')
    await rm(join(dataDir, 'accounts-location'))
    // As after a crash before the place was written down.
    expect(await findAccountsDirectory(dataDir, system)).toBe(found)
  })

  test('a missing directory is reported, and not created again', async () => {
    const { dataDir, system } = await placed(0o700)
    await rm(await findAccountsDirectory(dataDir, system), { recursive: true })
    await expect(findAccountsDirectory(dataDir, system)).rejects.toThrow(/which does not exist. Restore that/)
  })
})
