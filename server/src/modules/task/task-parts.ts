import type { AccessObject } from '@boathouse/contract'
import { objectOf } from '@boathouse/contract'
import type { Transaction } from 'kysely'
import type { UseEngine } from '../../engines/engine/engine.ts'
import type { Actor, Caller } from '../../kernel/actor.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Schema } from '../../store/schema.ts'
import type { Authority } from '../access/authority.ts'
import type { GrantToCreator } from '../access/creator-grants.ts'
import type { NewAnnouncement } from '../announcement/service.ts'
import type { ViewCache } from './view-cache.ts'
import type { RenamedViewStore } from './renamed-view-store.ts'
import type { RunStore } from './run-store.ts'
import type { TaskRuns } from './runs.ts'
import type { ChangedMacro, ViewPlace, ViewStore } from './view-store.ts'

/** What materialized views are made of. */
export interface TaskParts {
  readonly views: ViewStore
  readonly renames: RenamedViewStore
  readonly runStore: RunStore
  readonly runs: TaskRuns
  readonly known: ViewCache
  readonly useServiceEngine: UseEngine
  readonly authority: Pick<Authority, 'may' | 'require' | 'visible' | 'holdsAll'>
  readonly grantToCreator: GrantToCreator
  readonly forgetGrants: (trx: Transaction<Schema>, accountId: string, object: AccessObject) => Promise<void>
  readonly renameGrants: (
    trx: Transaction<Schema>,
    accountId: string,
    renamed: { object: AccessObject; to: string },
  ) => Promise<void>
  readonly actorOf: (userId: string) => Promise<Actor | undefined>
  readonly warehouseNames: (accountId: string, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** To scheduled tasks. */
  readonly macroChanged: (accountId: string, changed: ChangedMacro) => Promise<void>
  readonly announce: (announcement: NewAnnouncement) => Promise<void>
  readonly transaction: <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>
  readonly clock: Clock
  readonly log: Log
}

export type Who = Pick<Caller, 'clientIp'> & { readonly actor: Actor }

export const accessOf = ({ catalog, database, name }: ViewPlace): AccessObject =>
  objectOf('materialized_view', { catalog, database, name })

export const pathOf = ({ catalog, database, name }: ViewPlace): string => [catalog, database, name].join('.')
