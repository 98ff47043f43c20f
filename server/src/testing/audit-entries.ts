import { entriesOf } from '../modules/audit/verify.ts'
import type { TestApp } from './start-app.ts'

export interface WrittenEntry {
  readonly number: number
  readonly action: string
  readonly object: { readonly type: string; readonly id: string; readonly name?: string }
  readonly by: { readonly name: string; readonly clientIp: string | null }
  readonly before: unknown
  readonly after: unknown
  readonly statement?: { readonly queryId: string; readonly text: string }
}

/** How many entries the audit log of the test's account has. */
export const auditedSoFar = async ({ store, accountId }: TestApp): Promise<number> =>
  (
    await store.db
      .selectFrom('audit_chains')
      .select('entries')
      .where('account_id', '=', accountId)
      .executeTakeFirst()
  )?.entries ?? 0

/** Entries of the audit log behind a number, as they are written. */
export async function auditedAfter({ store, accountId }: TestApp, after: number): Promise<WrittenEntry[]> {
  const entries: WrittenEntry[] = []
  for await (const text of entriesOf(store.db, accountId, { after, until: 1e6 }))
    entries.push(JSON.parse(text) as WrittenEntry)
  return entries
}
