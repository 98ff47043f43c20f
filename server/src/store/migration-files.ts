import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { serverPackageDirectory } from './package-directory.ts'

export interface Migration {
  name: string
  sql: string
  sha256: string
  /** False for a file that begins with `-- no-transaction`; such a file holds one statement. */
  inTransaction: boolean
}

export async function readMigrations(directory = migrationsDirectory()): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort()
  names.forEach((name, index) => {
    if (!/^\d{4}_[a-z0-9_]+\.sql$/.test(name))
      throw new Error(`Migration ${name} in ${directory} must be named NNNN_what_it_does.sql.`)
    // Numbers may be left out: branches that are written side by side reserve theirs.
    const before = names[index - 1]
    if (before?.slice(0, 4) === name.slice(0, 4))
      throw new Error(`Migrations ${before} and ${name} in ${directory} have the same number.`)
  })
  return Promise.all(names.map((name) => readMigration(directory, name)))
}

async function readMigration(directory: string, name: string): Promise<Migration> {
  // A checkout with other line ends is the same migration.
  const sql = (await readFile(join(directory, name), 'utf8')).replaceAll('\r\n', '\n')
  const sha256 = createHash('sha256').update(sql).digest('hex')
  return { name, sql, sha256, inTransaction: !sql.startsWith('-- no-transaction\n') }
}

function migrationsDirectory(): string {
  return join(serverPackageDirectory(), 'src', 'store', 'migrations')
}
