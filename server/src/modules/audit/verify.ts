import { setImmediate as letOthersOn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { type ChainVerdict, createChainCheck, NO_ENTRY } from './chain-check.ts'
import { chainsOf, pageOfEntries } from './store.ts'

/** As long as nobody else has to wait for the thread. */
const SLICE_MS = 2

/** Texts of entries, oldest first, behind one number up to another. */
export async function* entriesOf(
  db: Kysely<Schema>,
  accountId: string,
  { after: first, until }: Record<'after' | 'until', number>,
): AsyncGenerator<string> {
  let after = first
  for (;;) {
    const rows = await pageOfEntries(db, accountId, { after, until })
    for (const row of rows) yield row.entry
    const last = rows.at(-1)
    if (!last) return
    after = last.number
  }
}

interface Chain {
  readonly accountId: string
  readonly entries: number
  readonly head: string
}

/** How many entries are verified, and the hash of the last. */
type Checked = Pick<ChainVerdict, 'entries' | 'head'>

/** Everything was walked: nothing may be missing at its end. */
function withItsEnd(verdict: ChainVerdict, chain: Chain): ChainVerdict {
  if (verdict.head === chain.head) return verdict
  return { ...verdict, problem: `Entry ${verdict.entries} was changed.` }
}

/** The next page of a chain, and at its end whether that is the end that the chain remembers. */
export async function checkNextPart(db: Kysely<Schema>, chain: Chain, from: Checked): Promise<ChainVerdict> {
  const check = createChainCheck(chain.accountId, from)
  const rows = await pageOfEntries(db, chain.accountId, { after: from.entries, until: chain.entries })
  let sliceEnds = performance.now() + SLICE_MS
  for (const { entry } of rows) {
    if (performance.now() > sliceEnds) {
      await letOthersOn()
      sliceEnds = performance.now() + SLICE_MS
    }
    check.add(entry)
  }
  const verdict = check.verdict()
  if (verdict.problem !== null) return verdict
  if (verdict.entries === chain.entries) return withItsEnd(verdict, chain)
  if (rows.length > 0) return verdict
  return { ...verdict, problem: `The last ${chain.entries - verdict.entries} entries are missing.` }
}

/** Entries that are written during the check are beyond the head that was read first. */
async function verifyAccount(db: Kysely<Schema>, chain: Chain): Promise<ChainVerdict> {
  let verdict = await checkNextPart(db, chain, { entries: 0, head: NO_ENTRY })
  while (verdict.problem === null && verdict.entries < chain.entries)
    verdict = await checkNextPart(db, chain, verdict)
  return verdict
}

/** Of one account, or of all that ever were. */
export async function verifyAudit(db: Kysely<Schema>, accountId?: string): Promise<ChainVerdict[]> {
  const verdicts: ChainVerdict[] = []
  for (const { account_id, entries, head } of await chainsOf(db, accountId))
    verdicts.push(await verifyAccount(db, { accountId: account_id, entries, head }))
  return verdicts
}
