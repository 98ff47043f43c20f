import { createFairQueue } from '../../../kernel/fair-queue.ts'
import { ClusterRefused } from '../refused.ts'
import type { ExistingLine } from './line.ts'
import { namesOf } from './questions.ts'

/** Questions about names need no warehouse, and the cluster has other work. */
const WIDTH = {
  atOnce: 8,
  ranks: {
    all: {
      places: 200,
      shares: [
        { most: 50, of: 'of this account' },
        { most: 20, of: 'of yours' },
      ],
    },
  },
}

interface NameParts {
  readonly line: ExistingLine
  readonly patienceMs: number
  /** As far as they are known. */
  readonly catalogs: ReadonlySet<string>
  /** Why nothing is sent at this moment; null: it is. */
  whyQuiet(): string | null
}

interface NameQuestion {
  readonly accountId: string
  /** As the cluster knows them. */
  readonly user: string
  /** Rows at most. */
  readonly most: number
}

/** What a cluster has, for people who may not use any of its warehouses. */
export function createClusterNames({ line, patienceMs, catalogs, whyQuiet }: NameParts) {
  const inTurn = createFairQueue(WIDTH)
  return {
    /** Why a catalog cannot be read; null: nothing is known against it. */
    whyNot(catalog: string): string | null {
      const isGone = catalogs.size > 0 && !catalogs.has(catalog)
      return whyQuiet() ?? (isGone ? `The catalog ${catalog} is not in the cluster at this moment.` : null)
    },

    /** Names, as the cluster shows them to this user. Rejects with a `ClusterRefused`, or where too many ask. */
    async names(sql: string, { accountId, user, most }: NameQuestion) {
      const why = whyQuiet()
      if (why !== null) throw new ClusterRefused(why)
      const ask = () => namesOf(line, sql, { user, most, patienceMs })
      return inTurn({ rank: 'all', path: [accountId, user] }, ask)
    },
  }
}
