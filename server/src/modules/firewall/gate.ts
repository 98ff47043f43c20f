import { FIREWALL_MESSAGES, holdsAddress, plainAddress, type Ranges, readRanges } from '@boathouse/contract'
import type { Kysely } from 'kysely'
import { AppError } from '../../kernel/app-error.ts'
import { endpointOf } from '../../kernel/client-address.ts'
import { BoundedMap } from '../../kernel/bounded-map.ts'
import type { Schema } from '../../store/schema.ts'
import { enabledLists } from './store.ts'

/** First and last addresses, of all accounts together: some 16 MB. */
const REMEMBERED = 2_000_000

/** Null: no rule is enabled, and all addresses are allowed. */
export type Opening = Ranges | null

/** A list that cannot be read opens nothing. */
export const openingOf = (enabled: readonly string[]): Opening =>
  enabled.length === 0 ? null : enabled.flatMap((list) => readRanges(list) ?? [])

/** The rules are about the public address. Who comes by a private link is let in by its approval, and by nothing else. */
export const letsIn = (opening: Opening, address: string): boolean =>
  opening === null || endpointOf(address) !== null || holdsAddress(opening, address)

export interface Arrival {
  readonly accountId: string
  readonly clientIp: string
  /**
   * As the database has just said. Every change of the rules raises the version, so the rules are loaded once for each;
   * without it they are loaded now.
   */
  readonly identityVersion?: number | undefined
}

/** To which account an approved private endpoint leads; null: to none. */
export type AccountBehind = (endpointId: string) => string | null

/**
 * Refuses users from addresses that the rules of an account do not allow, and those who came through a private endpoint
 * of another account or of none, at every door.
 */
export function createFirewallGate(db: Kysely<Schema>, accountBehind: AccountBehind) {
  const known = new BoundedMap<{ readonly version: number; readonly opening: Promise<Opening> }>(REMEMBERED)
  const ask = async (accountId: string): Promise<Opening> => openingOf(await enabledLists(db, accountId))

  /** However many come at once, one of them asks. */
  async function openingFor({ accountId, identityVersion: version }: Arrival): Promise<Opening> {
    const remembered = known.get(accountId)
    if (version === undefined) return ask(accountId)
    if (remembered?.version === version) return remembered.opening
    const asked = { version, opening: ask(accountId) }
    known.set(accountId, asked, 1)
    try {
      const opening = await asked.opening
      if (known.get(accountId) === asked) known.set(accountId, asked, (opening?.length ?? 0) + 1)
      return opening
    } catch (error) {
      if (known.get(accountId) === asked) known.delete(accountId)
      throw error
    }
  }

  return async function requireLetIn(arrival: Arrival): Promise<void> {
    const endpointId = endpointOf(arrival.clientIp)
    if (endpointId !== null) {
      if (accountBehind(endpointId) === arrival.accountId) return
      throw new AppError('IpBlocked', FIREWALL_MESSAGES.otherEndpoint)
    }
    if (letsIn(await openingFor(arrival), arrival.clientIp)) return
    throw new AppError('IpBlocked', FIREWALL_MESSAGES.blocked(plainAddress(arrival.clientIp)))
  }
}

export type RequireLetIn = ReturnType<typeof createFirewallGate>
