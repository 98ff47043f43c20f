import { LIFE_CYCLE_STATES, LIMITS, MESSAGES, SHELL_STATES } from '@boathouse/contract'
import type { Transaction } from 'kysely'
import { AppError } from '../../kernel/app-error.ts'
import type { Schema } from '../../store/schema.ts'
import type { Author } from '../audit/author.ts'
import { recordAudit } from '../audit/record.ts'
import { type AccountChange, type AccountRow, lockAccountRow, updateAccount } from './account-store.ts'
import { type AccountStates, type MoveName, MOVES, statesAfter } from './states.ts'

const DAY_MS = 24 * 3_600_000

export interface MoveOrder {
  readonly accountId: string
  readonly move: MoveName
  readonly by: Author
  readonly at: Date
  readonly reason?: 'trial ended' | 'unpaid' | 'operator'
}

const nameIn = <T extends Record<string, number>>(states: T, number: number): keyof T => {
  const found = Object.entries(states).find(([, value]) => value === number)
  if (!found) throw new Error(`An account has the state ${number}, which this version does not know.`)
  return found[0]
}

export const statesOf = (row: Pick<AccountRow, 'state' | 'shell_state'>): AccountStates => ({
  life: nameIn(LIFE_CYCLE_STATES, row.state),
  shell: nameIn(SHELL_STATES, row.shell_state),
})

const lastDay = (at: Date): Date => new Date(at.getTime() + LIMITS.retentionDays * DAY_MS)

/** What else changes, so that the jobs know what is due. */
const DATES: { readonly [M in MoveName]?: (order: MoveOrder) => AccountChange } = {
  freeze: ({ at, reason = null }) => ({ frozen_at: at, freeze_reason: reason, delete_at: null }),
  'freeze until deletion': ({ at, reason = null }) => ({
    frozen_at: at,
    freeze_reason: reason,
    delete_at: lastDay(at),
  }),
  resume: () => ({ delete_at: null }),
  'finish resume': () => ({ frozen_at: null, freeze_reason: null }),
  release: ({ at }) => ({ deleting_since: at, delete_at: null }),
  restore: () => ({ deleting_since: null }),
  'finish set-up': () => ({ set_up: 'done' }),
}

export async function lockAccount(trx: Transaction<Schema>, accountId: string): Promise<AccountRow> {
  const row = await lockAccountRow(trx, accountId)
  if (!row) throw new AppError('NotFound', MESSAGES.accountMissing)
  return row
}

/** Changes both readings, in one transaction with the log's entry. Throws Conflict when the states do not allow it. */
export async function moveAccount(trx: Transaction<Schema>, order: MoveOrder): Promise<AccountRow> {
  const { accountId, move, by, at } = order
  const row = await lockAccount(trx, accountId)
  const before = statesOf(row)
  const after = statesAfter(before, move)
  const isGone = move === 'restore' && (row.set_up !== 'done' || row.purge_began_at !== null)
  if (!after || isGone)
    throw new AppError(
      'Conflict',
      `The account ${row.name} (${accountId}) cannot be ${MOVES[move].done} now: it is ${before.life} and ${before.shell}.`,
    )
  const dates = DATES[move]?.(order) ?? {}
  const moved = await updateAccount(trx, accountId, {
    ...dates,
    state: LIFE_CYCLE_STATES[after.life],
    shell_state: SHELL_STATES[after.shell],
  })
  await recordAudit(trx, {
    accountId,
    at,
    by,
    action: `account.${move.replaceAll(' ', '-')}`,
    object: { type: 'account', id: accountId, name: row.name },
    before: { ...before },
    after: { ...after, ...dates },
  })
  return moved
}
