import type { Statement } from '@boathouse/sql'
import type { Asking } from '../../../engines/engine/asking.ts'
import type { CatalogReader, Catalogs } from '../../../engines/engine/catalogs.ts'
import type { Engine } from '../../../engines/engine/engine.ts'
import type { ResultRows } from '../../../engines/engine/rows.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { ListedPlace } from '../gate/seen-names.ts'
import type { Wanted } from '../gate/authorize-statement.ts'
import type { Connection, SessionPlace } from './connection.ts'
import type { UsableWarehouse } from './chosen-warehouse.ts'
import type { Warning } from './warning.ts'
import type { RowCounts } from './warnings.ts'

/** What a statement that the service answers itself gives back. */
export interface SessionEffect {
  readonly result: ResultRows
  readonly move?: Partial<SessionPlace & Pick<Connection, 'warehouseId' | 'engine' | 'variables'>>
  readonly warnings?: readonly Warning[]
}

/** Gives a statement of ours in the words of the engine that will run it. */
export type SayTo = (engine: Pick<Engine, 'dialect' | 'catalogs' | 'descriptions'>) => string

/** Asks an engine about its catalogs and tables. */
export type LookIn<T> = (engine: Pick<Engine, 'catalogs' | 'descriptions'>, asking: Asking) => Promise<T>

export interface SessionTools {
  /** With the roles that SET ROLE left to the connection. */
  readonly actor: Actor
  /** With all roles that are active for the user. */
  readonly wholeActor: Actor
  readonly connection: Connection
  /** What the statement before this one has left. */
  readonly warnings: readonly Warning[]
  /** How many rows it changed or found. */
  readonly counts: RowCounts
  /** Where the statement comes from, where that is known. */
  readonly clientIp: string | null
  /** Aborted when the user stops it. */
  readonly stop: AbortSignal
  /** Throws unless the actor may. */
  require(wanted: Wanted): Promise<void>
  may(wanted: Wanted): Promise<boolean>
  /** The true name of a catalog that is there and that the actor may use; throws where there is none. */
  catalogNamed(name: string): Promise<string>
  /** The names that the actor may see in a list, in small letters. */
  visible(place: ListedPlace): Promise<ReadonlySet<string> | 'all'>
  /** The materialized views of the account, by `viewKey`: engines take them for tables. */
  materialized(): Promise<ReadonlySet<string>>
  /** Runs a statement of ours in the connection's engine session; throws what the engine says. */
  runInEngine(say: SayTo): Promise<ResultRows>
  /** Asks the engine what it holds, as it is seen in the connection's session; throws what the engine says. */
  lookInEngine<T>(look: LookIn<T>): Promise<T>
  /** Those that the actor may use; `engine` is the kind of engine that each has. */
  warehouses(): Promise<readonly UsableWarehouse[]>
}

export type Answer = (statement: Statement, tools: SessionTools) => Promise<SessionEffect>

const noCatalogs = () => new AppError('QueryFailed', 'The engine of this account has no databases.')

/** A statement about databases; refused on an engine without databases. */
export const ofCatalogs =
  (say: (catalogs: Catalogs) => string): SayTo =>
  ({ catalogs }) => {
    if (!catalogs) throw noCatalogs()
    return say(catalogs)
  }

/** Lists databases and tables; refused on an engine without databases. */
export const inCatalogs =
  <T>(look: (lists: CatalogReader, catalogs: Catalogs) => Promise<T>): LookIn<T> =>
  async ({ catalogs }, asking) => {
    if (!catalogs) throw noCatalogs()
    return look(catalogs.in(asking), catalogs)
  }
