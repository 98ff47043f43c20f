import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, realpath, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../error-code.ts'
import { makeOpenFolder, pathExists } from './paths.ts'
import { isRoot, userForRoot, type RunAs } from './run-as.ts'
import { runProgram } from './run-program.ts'

/** Where PostgreSQL keeps its files, and as whom it runs. */
export interface Home {
  /** The data directory of Boathouse, without symbolic links. */
  dataDir: string
  /** Holds `data`, `run`, `password` and `postgres.log`; named by major version. */
  directory: string
  runAs: RunAs | undefined
}

export interface HomeWish {
  dataDir: string
  major: number
  /** Used by root only, when the user of PostgreSQL cannot reach the data directory. */
  systemDirectory: string
}

const pointerFile = 'postgres-location'

export async function findHome({ dataDir: wished, major, systemDirectory }: HomeWish): Promise<Home> {
  await mkdir(wished, { recursive: true })
  const dataDir = await realpath(wished)
  const pointed = await readPointer(dataDir)
  const directory = join(pointed ?? dataDir, `pg${major}`)
  const owner = await ownerOf(directory)
  if (owner === undefined) await refuseOtherMajor(pointed ?? dataDir, major)
  const runAs = await chooseUser(directory, owner)
  if (pointed !== undefined || runAs === undefined || (await canReach(dataDir, runAs))) {
    return { dataDir, directory, runAs }
  }
  if (owner !== undefined) {
    throw new Error(
      `PostgreSQL runs as user id ${runAs.uid}, which cannot reach its files in ${directory}: ` +
        'allow other users to enter the folders above it (chmod o+x).',
    )
  }
  return { dataDir, directory: join(await moveOut(dataDir, systemDirectory), `pg${major}`), runAs }
}

async function readPointer(dataDir: string): Promise<string | undefined> {
  const file = join(dataDir, pointerFile)
  if (!(await pathExists(file))) return undefined
  const location = (await readFile(file, 'utf8')).trim()
  if (await pathExists(location)) return location
  // A fresh database in its place would look like lost data.
  throw new Error(
    `The database of ${dataDir} is kept in ${location}, which does not exist: restore that folder, ` +
      `or remove ${file} to begin with an empty database.`,
  )
}

async function moveOut(dataDir: string, systemDirectory: string): Promise<string> {
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 12)
  const location = join(systemDirectory, name)
  await makeOpenFolder(location)
  await writeFile(join(dataDir, pointerFile), `${location}\n`)
  return location
}

async function ownerOf(directory: string): Promise<RunAs | undefined> {
  try {
    const { uid, gid } = await stat(directory)
    return { uid, gid }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

async function chooseUser(directory: string, owner: RunAs | undefined): Promise<RunAs | undefined> {
  if (isRoot()) return owner !== undefined && owner.uid !== 0 ? owner : userForRoot()
  if (owner !== undefined && owner.uid !== process.getuid?.()) {
    throw new Error(
      `${directory} belongs to user id ${owner.uid}: start Boathouse as root or as that user, ` +
        'or choose another data directory.',
    )
  }
  return undefined
}

async function refuseOtherMajor(base: string, major: number): Promise<void> {
  const other = (await readdir(base)).find((name) => /^pg\d+$/.test(name))
  if (other === undefined) return
  throw new Error(
    `${join(base, other)} was made by PostgreSQL ${other.slice(2)}, this version of Boathouse brings ` +
      `PostgreSQL ${major}: start the version of Boathouse that made it, or choose another data directory.`,
  )
}

async function canReach(directory: string, runAs: RunAs): Promise<boolean> {
  const trial = await runProgram({ file: '/bin/sh', args: ['-c', 'cd -- "$0"', directory], runAs })
  return trial.ok
}
