import { BoundedMap } from '../../kernel/bounded-map.ts'
import { viewKey } from '../query/gate/authorize-statement.ts'
import type { KnownView, SourceName, ViewStore } from './view-store.ts'

/** Accounts. */
const REMEMBERED = 1_000

export interface CachedViews {
  /** By `viewKey`. */
  readonly byKey: ReadonlyMap<string, KnownView>
  /** Of one that is being renamed, both. */
  readonly keys: ReadonlySet<string>
}

export const sourceKey = ([catalog, database, name]: SourceName): string =>
  viewKey({ catalog, database, name })

/** The materialized views of each account: every statement asks which of its tables are some. */
export function createViewCache({ store }: { store: Pick<ViewStore, 'ofAccount'> }) {
  const known = new BoundedMap<Promise<CachedViews>>(REMEMBERED)

  async function load(accountId: string): Promise<CachedViews> {
    const rows = await store.ofAccount(accountId)
    const byKey = new Map(rows.map((row) => [viewKey(row), row]))
    const promised = rows.flatMap((row) =>
      row.renaming_to === null ? [] : [viewKey({ ...row, name: row.renaming_to })],
    )
    return { byKey, keys: new Set([...byKey.keys(), ...promised]) }
  }

  function of(accountId: string): Promise<CachedViews> {
    const before = known.get(accountId)
    if (before) return before
    const loading = load(accountId)
    // A failed read is repeated the next time.
    const remembered = loading.catch((error: unknown) => {
      if (known.get(accountId) === remembered) known.delete(accountId)
      throw error
    })
    known.set(accountId, remembered, 1)
    return remembered
  }

  return {
    of,
    keysOf: async (accountId: string): Promise<ReadonlySet<string>> => (await of(accountId)).keys,
    /** To be called when a change is written. */
    forget: (accountId: string): void => known.delete(accountId),
  }
}

export type ViewCache = ReturnType<typeof createViewCache>
