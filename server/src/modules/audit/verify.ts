import type { Kysely } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { type ChainVerdict, createChainCheck } from './chain-check.ts'
import { chainsOf, pageOfEntries } from './store.ts'

const PAGE = 500

/** Texts of entries, oldest first, behind one number up to another. */
export async function* entriesOf(
  db: Kysely<Schema>,
  accountId: string,
  { after: first, until }: Record<'after' | 'until', number>,
): AsyncGenerator<string> {
  let after = first
  for (;;) {
    const rows = await pageOfEntries(db, accountId, { after, until, limit: PAGE })
    for (const row of rows) yield row.entry
    const last = rows.at(-1)
    if (!last) return
    after = last.number
  }
}

/** What is written meanwhile is beyond the head that was read first. */
async function verifyAccount(
  db: Kysely<Schema>,
  chain: { account_id: string; entries: number; head: string },
): Promise<ChainVerdict> {
  const check = createChainCheck(chain.account_id)
  for await (const text of entriesOf(db, chain.account_id, { after: 0, until: chain.entries }))
    check.add(text)
  const verdict = check.verdict()
  if (verdict.problem !== null) return verdict
  if (verdict.entries !== chain.entries)
    return { ...verdict, problem: `The last ${chain.entries - verdict.entries} entries are missing.` }
  if (verdict.head !== chain.head) return { ...verdict, problem: `Entry ${verdict.entries} was changed.` }
  return verdict
}

/** Of one account, or of all that ever were. */
export async function verifyAudit(db: Kysely<Schema>, accountId?: string): Promise<ChainVerdict[]> {
  const verdicts: ChainVerdict[] = []
  for (const chain of await chainsOf(db, accountId)) verdicts.push(await verifyAccount(db, chain))
  return verdicts
}
