import type { Cell } from './rows.ts'

/**
 * Catalogs of a cluster that exists already, as far as its operator has opened them to accounts. It answers for their names
 * whether a warehouse uses it or not.
 */
export interface OpenedCatalogs {
  /** Those of an account, as statements name them, in small letters. */
  of(accountId: string): readonly string[]
  /** Why one cannot be read at this moment, as a sentence; null where nothing is known against it. */
  whyNot(catalog: string): string | null
  /** Rows of a short query of the service. Rejects with an `EngineUnavailable` that says why there are none. */
  ask(question: OpenedQuestion): Promise<readonly (readonly Cell[])[]>
}

interface OpenedQuestion {
  readonly accountId: string
  /** On whose behalf: the cluster has rules of its own. */
  readonly user: string
  readonly sql: string
  /** Rows beyond these are not read. */
  readonly most: number
}
