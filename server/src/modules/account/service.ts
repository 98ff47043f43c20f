import { MESSAGES, type QueryEndpoint } from '@boathouse/contract'
import type { Actor, Caller } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { RateLimit } from '../attempt/rate-limit.ts'
import type { AccountStore } from './store.ts'

type PrivateWay = Pick<QueryEndpoint, 'privateEndpoints' | 'privateAddress'>

export interface AboutThisServer {
  readonly version: string
  readonly engineVersion: string
  readonly queryEndpoint: Omit<QueryEndpoint, keyof PrivateWay>
}

/** Account IDs are short: without a rate limit they could be listed by trying them all. */
const MISSES = { free: 30, longestWaitMs: 30_000, pauseMs: 15 * 60_000 }

export function createAccounts({
  store,
  rateLimit,
  about,
  privateWay,
  hostOf,
}: {
  store: AccountStore
  rateLimit: RateLimit
  about: AboutThisServer
  /** How clients of private links reach the account's queries. */
  privateWay: (of: Pick<Actor, 'accountId' | 'region'>) => Promise<PrivateWay>
  /** The origin of the server of a region; empty for this one. */
  hostOf: (region: string) => string
}) {
  return {
    async locate(from: Caller, accountId: string) {
      const attempt = await rateLimit.reserve({
        address: from.clientIp,
        refusal: 'Too many unknown accounts.',
        own: rateLimit.fromAddress('locate from', from.clientIp, MISSES),
      })
      const found = await store.regionOf(accountId)
      if (!found) throw new AppError('NotFound', MESSAGES.accountMissing)
      await attempt.giveBack()
      const host = found.held_elsewhere ? hostOf(found.region) : ''
      return { accountId: found.account_id, region: found.region, host }
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
        // Somebody of another account is named to administrators of the organisation alone, as in the list of accounts.
        createdBy: row.created_by === null || actor.isOrgAdmin ? (row.created_by ?? row.creator) : '',
        createdAt: row.created_at.toISOString(),
        version: about.version,
        engineVersion: about.engineVersion,
        queryEndpoint: { ...about.queryEndpoint, ...(await privateWay(actor)) },
      }
    },
  }
}

export type Accounts = ReturnType<typeof createAccounts>
