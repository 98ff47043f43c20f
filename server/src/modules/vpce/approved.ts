import { type ConnectionType, holdsAddress, type Ranges, readRanges } from '@boathouse/contract'
import type { Kysely } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { availableEndpoints } from './store.ts'

/** Somebody at a private listener, as the network tells: from where, and through which endpoint, if it names one. */
export interface PrivateArrival {
  readonly ip: string
  readonly endpointId: string | null
}

export interface ApprovedEndpoint {
  readonly endpointId: string
  readonly accountId: string
  readonly type: ConnectionType
  readonly ranges: Ranges
}

interface ApprovedParts {
  readonly db: Kysely<Schema>
  /** Of which accounts one was approved, or is not any more. */
  readonly onChanged: (accountIds: readonly string[]) => void
}

const described = ({ endpointId, accountId, type, ranges }: ApprovedEndpoint): string =>
  [endpointId, accountId, type, ...ranges].join(' ')

/**
 * The endpoints through which somebody may come, as every listener asks for each connection: in memory, read again after
 * each change and every few seconds. Nobody comes in before they were first read.
 */
export function createApprovedEndpoints({ db, onChanged }: ApprovedParts) {
  let known: readonly ApprovedEndpoint[] = []
  /** Asked with every call. */
  let byId: ReadonlyMap<string, ApprovedEndpoint> = new Map()

  function replace(now: readonly ApprovedEndpoint[]): void {
    const before = known
    const [was, is] = [before, now].map((all) => new Set(all.map(described)))
    known = now
    byId = new Map(now.map((one) => [one.endpointId, one]))
    const changed = [
      ...before.filter((one) => !is?.has(described(one))),
      ...now.filter((one) => !was?.has(described(one))),
    ]
    if (changed.length > 0) onChanged([...new Set(changed.map(({ accountId }) => accountId))])
  }

  async function reload(): Promise<void> {
    const rows = await availableEndpoints(db)
    replace(
      rows.map((row) => ({
        endpointId: row.endpoint_id,
        accountId: row.account_id,
        type: row.connection_type as ConnectionType,
        ranges: row.addresses === '' ? [] : (readRanges(row.addresses) ?? []),
      })),
    )
  }

  return {
    reload,

    /** After a change that was committed: what cannot be read again gives no access. */
    async changed(): Promise<void> {
      try {
        await reload()
      } catch (error) {
        replace([])
        throw error
      }
    },

    /** Null: nobody comes in from there for this. */
    find({ ip, endpointId }: PrivateArrival, type: ConnectionType): ApprovedEndpoint | null {
      if (endpointId === null)
        return known.find((one) => one.type === type && holdsAddress(one.ranges, ip)) ?? null
      const named = byId.get(endpointId)
      return named?.type === type ? named : null
    },

    accountBehind: (endpointId: string): string | null => byId.get(endpointId)?.accountId ?? null,

    of: (type: ConnectionType): readonly ApprovedEndpoint[] => known.filter((one) => one.type === type),
  }
}

export type ApprovedEndpoints = ReturnType<typeof createApprovedEndpoints>
