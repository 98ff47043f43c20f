import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The newest that the registry has. */
export const SQLPAD = '3.1.0'
/** The driver that it names never connects on Node 14 and newer; this one is used in the same way. */
const PG = '8.23.1'

/** The folder with SQLPad in it, which is no part of the project: it is fetched when it is first measured. */
export async function fetchSqlpad(repository: string): Promise<string> {
  const folder = join(repository, 'node_modules', '.cache', 'boathouse-bench', `sqlpad-${SQLPAD}-pg-${PG}`)
  const program = join(folder, 'node_modules', 'sqlpad')
  const isWhole = join(folder, 'whole')
  if (existsSync(isWhole)) return program
  console.log(`Fetching SQLPad ${SQLPAD} ...`)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const manifest = { private: true, dependencies: { sqlpad: SQLPAD, pg: PG }, overrides: { pg: '$pg' } }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  // Nothing of it needs to be compiled, so nothing of it runs here.
  await promisify(execFile)('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
  })
  await writeFile(isWhole, '')
  return program
}
