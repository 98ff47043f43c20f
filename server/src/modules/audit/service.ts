import { type audit, type AuditEntry, type Input, type Output } from '@boathouse/contract'
import type { Kysely } from 'kysely'
import { AppError } from '../../kernel/app-error.ts'
import type { Schema } from '../../store/schema.ts'
import type { Author } from './author.ts'
import { NO_ENTRY, hashOf } from './chain-check.ts'
import { changesBetween, cutChanges } from './changelog.ts'
import { createAuditListStore, type Place } from './list-store.ts'
import { idsOf, withNames } from './named-entries.ts'
import { createNamesStore } from './names-store.ts'
import { chainsOf, pageOfEntries } from './store.ts'
import { checkNextPart } from './verify.ts'

/** An entry as it is written, as far as it is shown. */
interface WrittenEntry {
  readonly number: number
  readonly previous: string
  readonly at: string
  readonly by: Author
  readonly action: string
  readonly object: { readonly type: string; readonly id: string; readonly name?: string }
  readonly before?: unknown
  readonly after?: unknown
  readonly statement?: AuditEntry['statement']
}

const LISTED = { fields: 12, length: 200 }
const DETAILED = { fields: 500, length: 4_096 }

function presented(entry: WrittenEntry, bounds: typeof LISTED): AuditEntry {
  const { number, at, by, action, object, before, after, statement = null } = entry
  return {
    number,
    at,
    actor: {
      kind: by.kind,
      name: by.name,
      clientIp: by.clientIp,
      ...(by.key !== undefined && { key: by.key }),
    },
    action,
    objectType: object.type,
    objectId: object.id,
    objectName: object.name ?? object.id,
    statement,
    ...cutChanges(changesBetween(before, after), bounds),
  }
}

const cursorOf = ({ at, number }: Place): string => `${at}_${number}`

function readCursor(after: string): Place {
  const [, at = '', number = ''] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_(\d{1,15})$/.exec(after) ?? []
  if (!at) throw new AppError('BadInput', 'after: This is not the `next` of an earlier page.')
  return { at, number: Number(number) }
}

const NO_CHAIN = { entries: 0, head: NO_ENTRY }

/** The log of one account, for who may read it. */
export function createAuditLog({ db }: { db: Kysely<Schema> }) {
  const store = createAuditListStore(db)
  const namesOf = createNamesStore(db)
  const named = async (accountId: string, entries: readonly AuditEntry[]): Promise<AuditEntry[]> => {
    const names = await namesOf(accountId, idsOf(entries))
    return entries.map((entry) => withNames(entry, names))
  }
  const chainOf = async (accountId: string) => (await chainsOf(db, accountId))[0] ?? NO_CHAIN

  return {
    async list(
      accountId: string,
      { limit, after, ...filter }: Input<typeof audit.list>,
    ): Promise<Output<typeof audit.list>> {
      const behind = after === undefined ? null : readCursor(after)
      const found = await store.page(accountId, { filter, behind, limit: limit + 1 })
      const shown = found.slice(0, limit)
      const listed = shown.map((row) => {
        const entry = presented(JSON.parse(row.shown) as WrittenEntry, LISTED)
        return row.is_long ? { ...entry, isCut: true } : entry
      })
      const entries = await named(accountId, listed)
      const last = shown.at(-1)
      if (found.length > limit && last) return { entries, next: cursorOf(last), searchedTo: null }
      const stopped = await store.lookedTo(accountId, { filter, behind })
      return { entries, next: stopped ? cursorOf(stopped) : null, searchedTo: stopped?.at ?? null }
    },

    objectTypes: (accountId: string): Promise<string[]> => store.objectTypes(accountId),

    async detail(accountId: string, number: number): Promise<Output<typeof audit.detail>> {
      const row = await store.entry(accountId, number)
      if (!row) throw new AppError('NotFound', `There is no entry ${number} in the audit log.`)
      const entry = JSON.parse(row.entry) as WrittenEntry
      const { previous } = entry
      const [shown = presented(entry, DETAILED)] = await named(accountId, [presented(entry, DETAILED)])
      return { entry: shown, text: row.entry, hash: hashOf(row.entry), previous }
    },

    /** A part of the chain, after the entry up to which the caller has verified it. */
    async verify(
      accountId: string,
      { checked, head = NO_ENTRY }: Input<typeof audit.verify>,
    ): Promise<Output<typeof audit.verify>> {
      const chain = await chainOf(accountId)
      if (checked > chain.entries)
        throw new AppError('BadInput', `checked: The audit log has ${chain.entries} entries.`)
      const verdict = await checkNextPart(db, { accountId, ...chain }, { entries: checked, head })
      return {
        checked: verdict.entries,
        head: verdict.head,
        total: chain.entries,
        problem: verdict.problem,
      }
    },

    async texts(
      accountId: string,
      { after }: Input<typeof audit.texts>,
    ): Promise<Output<typeof audit.texts>> {
      const { entries } = await chainOf(accountId)
      const rows = await pageOfEntries(db, accountId, { after, until: entries })
      const last = rows.at(-1)?.number
      const isMore = last !== undefined && last < entries
      return { texts: rows.map(({ entry }) => entry), next: isMore ? last : null }
    },
  }
}

export type AuditLog = ReturnType<typeof createAuditLog>
