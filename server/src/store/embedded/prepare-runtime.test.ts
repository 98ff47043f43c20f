import { existsSync } from 'node:fs'
import { chmod, chown, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { silentLog } from '../../testing/database.ts'
import { removeBundle, startStoreProcess, unreachableFor } from '../../testing/start-store-process.ts'
import { openForTest, testDirectory } from '../../testing/store-kit.ts'
import { findRuntime, programOf, type PostgresRuntime } from './find-runtime.ts'
import { prepareRuntime } from './prepare-runtime.ts'
import { isRoot, userForRoot } from './run-as.ts'

afterAll(removeBundle)

/** The package as npm unpacks it when install scripts are not run. */
async function unpacked(directory: string): Promise<PostgresRuntime> {
  const installed = findRuntime()
  await cp(installed.directory, directory, { recursive: true, filter: (path) => !path.endsWith('.a') })
  const lib = join(directory, 'native', 'lib')
  for (const entry of await readdir(lib, { withFileTypes: true })) {
    if (entry.isSymbolicLink()) await rm(join(lib, entry.name))
  }
  return { ...installed, directory }
}

test('missing links between libraries are made at the start', async () => {
  const parent = await testDirectory()
  const installed = await unpacked(join(parent, 'package'))
  const wish = { installed, runAs: undefined, copiesDirectory: join(parent, 'copies'), log: silentLog }
  expect(await prepareRuntime(wish)).toEqual(installed)
  const links = JSON.parse(
    await readFile(join(installed.directory, 'native', 'pg-symlinks.json'), 'utf8'),
  ) as { target: string }[]
  expect(links.length).toBeGreaterThan(0)
  expect(links.filter(({ target }) => !existsSync(join(installed.directory, target)))).toEqual([])
})

test('from a package that is read-only and lacks links a copy is made, and an ordinary user can start', async ({
  skip,
}) => {
  const runAs = isRoot() ? { uid: 65534, gid: 65534 } : undefined
  const obstacle = await unreachableFor(runAs)
  skip(obstacle !== undefined, obstacle)
  const parent = await testDirectory()
  const installed = await unpacked(join(parent, 'package'))
  const lib = join(installed.directory, 'native', 'lib')
  await chmod(lib, 0o555)
  const dataDir = join(parent, 'data')
  await mkdir(dataDir)
  if (runAs) await chown(dataDir, runAs.uid, runAs.gid)
  const server = await startStoreProcess({ dataDir, runAs, embedded: { installed } })
  expect(await server.first).toMatchObject({ event: 'open' })
  await server.stop()
  expect(await readdir(join(dataDir, 'runtime'))).toHaveLength(1)
  await chmod(lib, 0o755)
})

test.skipIf(!isRoot())(
  'from a package below a closed folder root makes a copy for its user (needs root)',
  async () => {
    const parent = await testDirectory()
    await mkdir(join(parent, 'closed'))
    await chmod(join(parent, 'closed'), 0o700)
    const installed = await unpacked(join(parent, 'closed', 'package'))
    const systemDirectory = join(parent, 'system')
    const store = await openForTest(join(parent, 'data'), { installed, systemDirectory })
    const { rows } = await store.pool.query('select version() as version')
    expect(rows[0].version).toContain('PostgreSQL 18')
    expect(await readdir(join(systemDirectory, 'runtime'))).toHaveLength(1)
    await store.close()
    const wish = {
      installed,
      runAs: await userForRoot(),
      copiesDirectory: join(systemDirectory, 'runtime'),
      log: silentLog,
    }
    expect((await prepareRuntime(wish)).directory).toContain(systemDirectory)
  },
)

test('programs that the system cannot run are explained, with the way out', async () => {
  const parent = await testDirectory()
  const installed = await unpacked(join(parent, 'package'))
  await writeFile(programOf(installed, 'postgres'), '#!/lib/ld-of-another-system\n')
  const runAs = isRoot() ? await userForRoot() : undefined
  const wish = { installed, runAs, copiesDirectory: join(parent, 'copies'), log: silentLog }
  await expect(prepareRuntime(wish)).rejects.toThrow(
    /^PostgreSQL in .*package does not run on this system \(.*ENOENT.*\): .* set DATABASE_URL/,
  )
})

test('on a platform without a package, the message says to set DATABASE_URL', () => {
  expect(() => findRuntime('plan9-mips')).toThrow(
    'No PostgreSQL for plan9-mips is installed: run npm install with optional packages, ' +
      'or set DATABASE_URL to a PostgreSQL server of your own.',
  )
})
