import { KEPT_LIMITS, type KeptKind } from '@boathouse/contract'
import type { Kysely } from 'kysely'
import { AppError } from '../../kernel/app-error.ts'
import type { Schema } from '../../store/schema.ts'
import { forgetPart, type Sums, sumsOf, type Whose } from './store.ts'

const MIB = 1024 * 1024

const inMib = (bytes: number): string => `${(bytes / MIB).toFixed(bytes < 10 * MIB ? 1 : 0)} MB`

const WORDS: Readonly<Record<KeptKind, { readonly what: string; readonly todo: string }>> = {
  queries: {
    what: 'saved queries (with those in the bin)',
    todo: 'Delete saved queries that you no longer need and empty the bin, then try again.',
  },
  history: {
    what: 'long texts of statements that run or wait',
    todo: 'Wait until some of them have ended, then try again.',
  },
  tasks: {
    what: 'texts of tasks and materialized views',
    todo: 'Drop tasks or materialized views that you no longer need, or shorten their texts.',
  },
}

/** Of whom there is too much; null when there is room. */
export function overOf(kind: KeptKind, { user, account }: Sums): 'user' | 'account' | null {
  const most = KEPT_LIMITS[kind]
  if (user > most.user) return 'user'
  return account > most.account ? 'account' : null
}

export function noRoom(kind: KeptKind, over: 'user' | 'account', sums: Sums): AppError {
  const { what, todo } = WORDS[kind]
  const [most, used] = [inMib(KEPT_LIMITS[kind][over]), inMib(sums[over])]
  return over === 'user'
    ? new AppError(
        'QuotaExceeded',
        `Your ${what} may take ${most} in total, and this would make ${used}. ${todo}`,
      )
    : new AppError(
        'QuotaExceeded',
        `All ${what} of this account may take ${most} in total, and this would make ${used}. ${todo} An account administrator can see who uses the most on the page of the account.`,
      )
}

/**
 * Behind a write, in its transaction: throws, and the write is undone, when something was added and there is too much. The
 * sums are locked by the write itself, so that two at once do not both find the last room.
 */
export async function requireKeptRoom(trx: Kysely<Schema>, whose: Whose, kind: KeptKind): Promise<void> {
  const sums = await sumsOf(trx, whose, kind)
  const over = overOf(kind, sums)
  if (over) throw noRoom(kind, over, sums)
}

/** How much there is of the user and of the account, as the transaction sees it. */
export const keptSums = sumsOf

/** Months up to this one are gone from the history. */
export const forgetMonths = (db: Kysely<Schema>, until: string) => forgetPart(db, 'history', until)
