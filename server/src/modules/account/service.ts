import { MESSAGES } from '@boathouse/contract'
import type { Actor, Caller } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { createAttempts } from '../../kernel/attempts.ts'
import type { AccountStore } from './store.ts'

export interface AboutThisServer {
  readonly version: string
  readonly engineVersion: string
  readonly queryEndpoint: { readonly host: string; readonly port: number; readonly listening: boolean }
}

export function createAccounts({
  store,
  clock,
  about,
}: {
  store: AccountStore
  clock: Clock
  about: AboutThisServer
}) {
  // Account IDs are short: without a brake they could be listed by trying them all.
  const misses = createAttempts({ clock, max: 30, windowMs: 5 * 60_000 })

  return {
    async locate(from: Caller, accountId: string) {
      if (misses.isExceeded(from.clientIp))
        throw new AppError('TooManyAttempts', 'Too many unknown accounts. Wait five minutes, then try again.')
      const found = await store.regionOf(accountId)
      if (found) return { accountId: found.account_id, region: found.region }
      misses.add(from.clientIp)
      throw new AppError('NotFound', MESSAGES.accountMissing)
    },

    async details(actor: Actor) {
      const row = await store.details(actor.accountId)
      return {
        accountId: row.account_id,
        accountName: row.name,
        organisation: row.organisation,
        csp: row.csp,
        region: row.region,
        edition: row.edition as 'lake' | 'standard',
        createdBy: row.creator,
        createdAt: row.created_at.toISOString(),
        ...about,
      }
    },
  }
}

export type Accounts = ReturnType<typeof createAccounts>
