import type { Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import type { Author } from './author.ts'
import { canonicalJson } from './canonical-json.ts'
import { hashOf, NO_ENTRY } from './chain-check.ts'
import { addToChain, nextInChain } from './store.ts'

/** Something that changed. `before` is null for what is new, `after` for what is gone. */
export interface AuditEvent {
  /** The account whose log gets the entry. */
  readonly accountId: string
  readonly at: Date
  readonly by: Author
  /** `object.verb`, as in `account.freeze`. */
  readonly action: `${string}.${string}`
  readonly object: { readonly type: string; readonly id: string; readonly name?: string }
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
  /** Of what a statement did: under which id the history has it, and how it begins. */
  readonly statement?: { readonly queryId: string; readonly text: string }
}

/**
 * Writes an event into the log of its account, in the transaction of the change itself. The chain's row is locked until
 * that ends, so that entries of one account follow one another; write it last, and for several accounts in the order of
 * their ids.
 */
export async function recordAudit(trx: Transaction<Schema>, event: AuditEvent): Promise<void> {
  const { accountId, ...facts } = event
  await recordAudits(trx, accountId, [facts])
}

/** Several events of one account, in their order, with one lock of its chain. */
export async function recordAudits(
  trx: Transaction<Schema>,
  accountId: string,
  events: readonly Omit<AuditEvent, 'accountId'>[],
): Promise<void> {
  if (events.length === 0) return
  const { entries: last, head } = await nextInChain(trx, accountId, {
    headOfNone: NO_ENTRY,
    count: events.length,
  })
  let previous = head
  const entries = events.map((facts, at) => {
    const number = last - events.length + 1 + at
    const entry = canonicalJson({ ...facts, account: accountId, number, previous })
    previous = hashOf(entry)
    return { number, entry }
  })
  await addToChain(trx, accountId, { entries, head: previous })
}
