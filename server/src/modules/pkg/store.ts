import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../store/schema.ts'

export async function databaseVersion(db: Kysely<Schema>): Promise<string> {
  const { rows } = await sql<{
    version: string
  }>`select current_setting('server_version') as version`.execute(db)
  return rows[0]?.version ?? ''
}
