import { setTimeout as sleep } from 'node:timers/promises'
import { Client, DatabaseError, type ClientConfig } from 'pg'
import { schemaName, withoutTimeout } from './connection-settings.ts'
import { readMigrations, type Migration } from './migration-files.ts'

interface Applied {
  name: string
  sha256: string
}

const lockKey = 0x6d696772
const lockRetryMs = 50
const lockPatienceMs = 10 * 60_000

/** Brings the database to the newest state; of several servers that try at once one does the work. */
export async function migrate(settings: ClientConfig, directory?: string): Promise<number> {
  const migrations = await readMigrations(directory)
  const client = new Client(withoutTimeout(settings))
  // The query under way reports the loss of the connection as well.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await lock(client)
    return await applyMissing(client, migrations)
  } finally {
    // Ends the session, and with it the lock.
    await client.end()
  }
}

/** Asks again and again: a session that waits inside a statement would block `create index concurrently`. */
async function lock(client: Client): Promise<void> {
  for (const deadline = Date.now() + lockPatienceMs; Date.now() < deadline; await sleep(lockRetryMs)) {
    const answer = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [lockKey])
    if (answer.rows[0]?.held) return
  }
  throw new Error(
    'Another server has been migrating this database for ten minutes. Check what blocks it, then start again.',
  )
}

/** A user who may not create schemas can be given an existing one. */
async function createSchema(client: Client): Promise<void> {
  const { rows } = await client.query<{ missing: boolean }>('select to_regnamespace($1) is null as missing', [
    schemaName,
  ])
  if (rows[0]?.missing) await client.query(`create schema ${schemaName}`)
}

async function applyMissing(client: Client, migrations: Migration[]): Promise<number> {
  await createSchema(client)
  await client.query(`create table if not exists ${schemaName}.migrations (
    name text primary key, sha256 text not null, applied_at timestamptz not null default now())`)
  const { rows } = await client.query<Applied>(
    `select name, sha256 from ${schemaName}.migrations order by name`,
  )
  for (const applied of rows) refuseDifferent(applied, migrations)
  const names = new Set(rows.map(({ name }) => name))
  const missing = migrations.filter(({ name }) => !names.has(name))
  for (const migration of missing) await apply(client, migration)
  return missing.length
}

function refuseDifferent(applied: Applied, migrations: Migration[]): void {
  const file = migrations.find(({ name }) => name === applied.name)
  if (!file) {
    throw new Error(
      `The database has migration ${applied.name}, which this version of Boathouse does not know: ` +
        'start the newer version that made it.',
    )
  }
  if (file.sha256 !== applied.sha256) {
    throw new Error(
      `Migration ${applied.name} was changed after it was applied to this database: ` +
        'restore the file and put the change into a new migration.',
    )
  }
}

async function apply(client: Client, migration: Migration): Promise<void> {
  try {
    if (migration.inTransaction) await client.query('begin')
    await client.query(migration.sql)
    await client.query(`insert into ${schemaName}.migrations (name, sha256) values ($1, $2)`, [
      migration.name,
      migration.sha256,
    ])
    if (migration.inTransaction) await client.query('commit')
  } catch (error) {
    // Closing the connection rolls back the transaction.
    throw new Error(`Migration ${migration.name} failed${placeOf(error, migration.sql)}: ${String(error)}`, {
      cause: error,
    })
  }
}

function placeOf(error: unknown, sql: string): string {
  if (!(error instanceof DatabaseError) || error.position === undefined) return ''
  return ` in line ${sql.slice(0, Number(error.position)).split('\n').length}`
}
