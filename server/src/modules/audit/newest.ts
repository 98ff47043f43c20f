import type { Kysely } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { newestEntries } from './store.ts'

/** An entry as it is written, as far as it is shown in lists. */
export interface ShownEntry {
  readonly number: number
  readonly at: string
  readonly by: { readonly name: string; readonly clientIp: string | null; readonly key?: string }
  readonly action: string
  readonly object: { readonly type: string; readonly name: string | null }
  readonly before: unknown
  readonly after: unknown
}

export async function newestAudit(
  db: Kysely<Schema>,
  accountId: string,
  limit: number,
): Promise<ShownEntry[]> {
  const rows = await newestEntries(db, accountId, limit)
  return rows.map(({ entry }) => JSON.parse(entry) as ShownEntry)
}
