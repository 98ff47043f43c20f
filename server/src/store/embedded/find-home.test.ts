import { chmod, chown, mkdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { removeBundle, startStoreProcess, unreachableFor } from '../../testing/start-store-process.ts'
import { openForTest, remember, remembered, testDirectory } from '../../testing/store-kit.ts'
import { findHome } from './find-home.ts'
import { isRoot, userForRoot } from './run-as.ts'

afterAll(removeBundle)

const nobody = { uid: 65534, gid: 65534 }

async function closedFolder() {
  const parent = await testDirectory()
  const [dataDir, systemDirectory] = [join(parent, 'closed', 'data'), join(parent, 'system')]
  await mkdir(dataDir, { recursive: true })
  await chmod(join(parent, 'closed'), 0o700)
  return { dataDir, systemDirectory }
}

test.skipIf(!isRoot())(
  'below a closed folder, root keeps the database elsewhere and finds it again (needs root)',
  async () => {
    const { dataDir, systemDirectory } = await closedFolder()
    const first = await openForTest(dataDir, { systemDirectory })
    await remember(first, 'kept')
    await first.close()
    const location = (await readFile(join(dataDir, 'postgres-location'), 'utf8')).trim()
    expect(location).toMatch(new RegExp(`^${systemDirectory}/[0-9a-f]{12}$`))
    expect((await stat(join(location, 'pg18', 'data'))).uid).toBe((await userForRoot()).uid)
    const second = await openForTest(dataDir, { systemDirectory })
    expect(await remembered(second)).toEqual(['kept'])
    await second.close()

    await rm(location, { recursive: true })
    await expect(openForTest(dataDir, { systemDirectory })).rejects.toThrow(
      `The database of ${dataDir} is kept in ${location}, which does not exist: restore that folder, ` +
        `or remove ${join(dataDir, 'postgres-location')} to begin with an empty database.`,
    )
  },
)

test.skipIf(!isRoot())(
  'a database whose folder was closed later is not replaced by an empty one (needs root)',
  async () => {
    const { dataDir, systemDirectory } = await closedFolder()
    const { uid, gid } = await userForRoot()
    await mkdir(join(dataDir, 'pg18'))
    await chown(join(dataDir, 'pg18'), uid, gid)
    await expect(openForTest(dataDir, { systemDirectory })).rejects.toThrow(
      `PostgreSQL runs as user id ${uid}, which cannot reach its files in ${join(dataDir, 'pg18')}: ` +
        'allow other users to enter the folders above it (chmod o+x).',
    )
  },
)

test.skipIf(!isRoot())(
  'what an ordinary user began, root continues as that user, and gives back (needs root)',
  async ({ skip }) => {
    const obstacle = await unreachableFor(nobody)
    skip(obstacle !== undefined, obstacle)
    const dataDir = join(await testDirectory(), 'data')
    await mkdir(dataDir)
    await chown(dataDir, nobody.uid, nobody.gid)
    const ordinary = await startStoreProcess({ dataDir, runAs: nobody })
    expect(await ordinary.first).toMatchObject({ event: 'open' })
    await ordinary.stop()

    const root = await openForTest(dataDir)
    await remember(root, 'from root')
    await root.close()
    const again = await startStoreProcess({ dataDir, runAs: nobody })
    expect(await again.first).toMatchObject({ event: 'open' })
    await again.stop()
  },
)

test.skipIf(!isRoot())(
  'what root began is refused to an ordinary user with a reason (needs root)',
  async ({ skip }) => {
    const obstacle = await unreachableFor(nobody)
    skip(obstacle !== undefined, obstacle)
    const dataDir = await testDirectory()
    await mkdir(join(dataDir, 'pg18'))
    const ordinary = await startStoreProcess({ dataDir, runAs: nobody })
    expect(await ordinary.first).toEqual({
      event: 'refused',
      reason:
        `${join(dataDir, 'pg18')} belongs to user id 0: start Boathouse as root or as that user, ` +
        'or choose another data directory.',
    })
  },
)

test('a directory of another major version of PostgreSQL is refused, not ignored', async () => {
  const dataDir = await testDirectory()
  await mkdir(join(dataDir, 'pg17'))
  await expect(findHome({ dataDir, major: 18, systemDirectory: join(dataDir, 'system') })).rejects.toThrow(
    `${join(dataDir, 'pg17')} was made by PostgreSQL 17, this version of Boathouse brings PostgreSQL 18`,
  )
})
