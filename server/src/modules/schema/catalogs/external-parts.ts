import type { AccessObject } from '@boathouse/contract'
import type { Transaction } from 'kysely'
import type { AccountCatalog } from '../../../engines/engine/attachments.ts'
import type { UseEngine } from '../../../engines/engine/engine.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import type { Sealer } from '../../../kernel/sealing.ts'
import type { Schema } from '../../../store/schema.ts'
import type { Authority } from '../../access/authority.ts'
import type { NewAnnouncement } from '../../announcement/service.ts'
import type { ExternalStore } from './external-store.ts'
import type { OpenFolder } from './folder-catalogs.ts'
import type { OutsideOfAccounts } from './outside.ts'

export interface ExternalParts {
  readonly store: ExternalStore
  readonly transaction: <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>
  readonly sealer: Sealer
  readonly authority: Pick<Authority, 'may'>
  /** A new one begins without any, whatever had its name before. */
  readonly forgetGrants: (trx: Transaction<Schema>, accountId: string, object: AccessObject) => Promise<void>
  readonly useServiceEngine: UseEngine
  /** Those that the operator has opened to an account. */
  readonly openFolders: (accountId: string) => readonly OpenFolder[]
  /** Addresses that the operator has allowed catalogs to reach. */
  readonly openEndpoints: readonly string[]
  /** Clusters that run have what the account has now. Why they do not have this one, as a sentence; null: they do. */
  readonly followInClusters: (accountId: string, catalog: string) => Promise<string | null>
  /** By which engines read what lies outside. */
  readonly outside: OutsideOfAccounts
  readonly announce: (announcement: NewAnnouncement) => Promise<void>
  readonly clock: Clock
  readonly log: Log
}

interface EngineChange {
  readonly catalog: AccountCatalog
  readonly change: 'attach' | 'remove'
}

/** Of one that is kept: an engine that does not follow now does when it starts again. */
export const followInEngine = (
  { useServiceEngine, log }: Pick<ExternalParts, 'useServiceEngine' | 'log'>,
  accountId: string,
  { catalog, change }: EngineChange,
): Promise<void> =>
  useServiceEngine(accountId, async ({ attachments }) => attachments?.[change](catalog)).catch(
    (error: unknown) => log.warn({ err: error, accountId }, 'an engine did not follow a change of a catalog'),
  )
