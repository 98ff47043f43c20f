import type { AccessObject } from '@boathouse/contract'
import type { Transaction } from 'kysely'
import type { UseEngine } from '../../../engines/engine/engine.ts'
import type { Lake } from '../../../engines/engine/lake.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import type { Schema } from '../../../store/schema.ts'
import type { Authority } from '../../access/authority.ts'
import type { NewAnnouncement } from '../../announcement/service.ts'
import type { RenamingParts } from './catalog-renaming.ts'
import type { InternalStore } from './internal-store.ts'

export interface InternalParts {
  readonly store: InternalStore
  readonly transaction: <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>
  readonly authority: Pick<Authority, 'may'>
  /** A new one begins without any, whatever had its name before. */
  readonly forgetGrants: (trx: Transaction<Schema>, accountId: string, object: AccessObject) => Promise<void>
  readonly forgetViewOwners: (
    trx: Transaction<Schema>,
    accountId: string,
    object: AccessObject,
  ) => Promise<void>
  readonly useServiceEngine: UseEngine
  readonly renaming: Pick<RenamingParts, 'beginRenaming' | 'statementsIn' | 'viewsNaming' | 'onRenamed'>
  readonly announce: (announcement: NewAnnouncement) => Promise<void>
  /** Of Iceberg tables, which accounts with clusters have. */
  readonly lake: Pick<Lake, 'catalog' | 'has'> | null
  readonly clock: Clock
  readonly log: Log
}

type Forgetting = Pick<InternalParts, 'forgetGrants' | 'forgetViewOwners'>

/** What is granted on a catalog and who owns its views ends with it. */
export async function forgetCatalog(
  { forgetGrants, forgetViewOwners }: Forgetting,
  trx: Transaction<Schema>,
  { accountId, object }: { readonly accountId: string; readonly object: AccessObject },
): Promise<void> {
  await forgetGrants(trx, accountId, object)
  await forgetViewOwners(trx, accountId, object)
}
