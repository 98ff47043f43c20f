import { type DuckDBConnection, StatementType } from '@duckdb/node-api'
import { type StatementKind, readStatement } from '@boathouse/sql'
import { aborted } from '../../../kernel/aborted.ts'
import { BoundedMap } from '../../../kernel/bounded-map.ts'
import type { AttachedCatalogs } from '../account/attached-catalogs.ts'
import type { NameCache } from '../account/name-cache.ts'
import type { ExecuteOptions } from '../../engine/run.ts'
import type { FinishedOutcome } from '../../engine/outcome.ts'
import {
  type HiddenValues,
  type Listing,
  type ObjectChange,
  type ObjectName,
  type ObjectUse,
  decisionOf,
  isDenial,
} from '../../engine/objects.ts'
import { StatementInterrupted, StatementRefused } from '../errors.ts'
import {
  type Changing,
  type Definitions,
  type KnownDefinitions,
  type Stamp,
  type Temporary,
  bothChanging,
  readOnce,
  readTemporary,
  untouchedOf,
  withTemporary,
} from '../objects/definitions.ts'
import { refuseExpansive } from '../guard/expansions.ts'
import { ObjectUses, type Resolved, type Seen } from '../objects/object-uses.ts'
import { OtherMeaning } from '../objects/views-in-plan.ts'
import type { CleanSession } from './clean-session.ts'
import { SessionViews, type SessionViewsParts } from './session-views.ts'
import type { TableOfFile } from '../objects/file-scans.ts'
import type { SessionSight } from './session-sight.ts'
import { type ReadyStatement, refuseText } from './statement.ts'
import { writtenCatalog } from './written-catalog.ts'
import type { SessionTransaction } from './transaction.ts'

const { DELETE, INSERT, MERGE_INTO, UPDATE } = StatementType
const CHANGES_ROWS = new Set([DELETE, INSERT, MERGE_INTO, UPDATE])

/** Of texts of a session, in UTF-16 units, and of an object that one uses. */
const MOST_REMEMBERED = 128 * 1024
const WEIGHT_OF_USE = 200

interface Asked {
  readonly sql: string
  readonly options: Pick<ExecuteOptions, 'authorize' | 'takenFor' | 'settings' | 'roles'>
  /** Aborted when it is to end. */
  readonly stop: AbortSignal
}

interface SessionParts {
  readonly transaction: SessionTransaction
  readonly known: KnownDefinitions
  readonly names: NameCache
  readonly sight: SessionSight
  /** False only where there is nothing temporary for sure. */
  hasTemporary(): boolean
  /** The table to which a file belongs. */
  readonly tableOf: TableOfFile
  /** Where views are bound without the session's own settings and objects, at this version of the definitions. */
  clean(version: () => number | null): CleanSession
  readonly underWays: SessionViewsParts['underWays']
}

/** What the statements of a session may do with which objects, and what they have done. */
export class SessionObjects {
  private readonly uses: ObjectUses
  private readonly clean: CleanSession
  private readonly views: SessionViews
  /** As the statement that runs sees them, and those that follow it in its transaction. */
  private definitions: Definitions
  private stamp: Stamp | null = null
  private readonly texts = new BoundedMap<{ readonly version: number; readonly resolved: Resolved }>(
    MOST_REMEMBERED,
  )
  /** Of the open transaction. */
  private changes: ObjectChange[] = []
  private altered: ObjectName[] = []
  private defines: Changing | null = null
  /** What is temporary, once that was asked for. */
  private own: Promise<Temporary> | null = null
  /** What is defined may have changed in a way that is not among these. */
  private isUntold = false
  /** Of `NameCache`, before the first of these; and of the transaction, before the statement that runs. */
  private since = 0
  private commits = 0

  /** What its sender may not be shown of the statement that runs. */
  hides: HiddenValues | null = null

  private readonly transaction: SessionTransaction
  private readonly known: KnownDefinitions
  private readonly names: NameCache
  private readonly sight: SessionSight
  private readonly hasTemporary: () => boolean

  constructor(
    private readonly connection: DuckDBConnection,
    { transaction, known, names, sight, hasTemporary, tableOf, clean, underWays }: SessionParts,
  ) {
    this.hasTemporary = hasTemporary
    this.transaction = transaction
    this.known = known
    this.names = names
    this.sight = sight
    this.clean = clean(() => this.known.versionSeen(this.stamp))
    this.uses = new ObjectUses(connection, tableOf, this.clean)
    const { uses } = this
    this.views = new SessionViews({ connection, uses, clean: this.clean, hasTemporary, underWays })
    this.definitions = this.seenFrom(null)
  }

  /** Before a statement, and the transaction that is begun for it. */
  begin(): void {
    this.uses.forget()
    this.hides = null
    // It may be the COMMIT of what was defined.
    if (this.defines) this.known.changes(this.defines)
    this.commits = this.transaction.commits
    if (this.transaction.isOpen) return
    this.stamp = this.known.stamp()
    this.definitions = this.seenFrom(this.stamp)
  }

  /** The session goes somewhere else, where names mean something else. */
  moves(): void {
    this.texts.clear()
  }

  private seenFrom(stamp: Partial<Stamp> | null): Definitions {
    const shared = readOnce(this.known.in(this.connection, stamp))
    return this.hasTemporary()
      ? withTemporary(shared, () => (this.own ??= readTemporary(this.connection)))
      : shared
  }

  /**
   * Has the sender decide on a statement, in the transaction in which it will run, and makes it ready. Nothing of it has
   * run before: some statements begin to when they are made ready.
   */
  async decided(asked: Asked, ready: () => Promise<ReadyStatement>): Promise<ReadyStatement> {
    const unbound = await this.decide(asked)
    const made = await ready()
    // One with parameters is refused for these.
    if (unbound === null || made.prepared.parameterCount > 0) return made
    made.prepared.destroySync()
    throw cannotBeChecked(unbound)
  }

  /**
   * The same for a statement that is only described. One with parameters cannot be bound for its objects, so every
   * name in it counts as read: nothing of it runs, and a user who may read those may know all that is said of it.
   */
  async described<T>(asked: Asked, describe: () => Promise<T>): Promise<T> {
    await this.decide(asked)
    return describe()
  }

  /** Why its objects could not be bound; null when they were, or nobody need be asked. */
  private async decide(asked: Asked): Promise<string | null> {
    const { sql, options } = asked
    this.clean.begin(options)
    // Of the last ones, DuckDB's parser has the word: they only begin and end transactions.
    if (options.takenFor === 'session') return null
    if (options.authorize === 'all') {
      await this.sight.all()
      return null
    }
    refuseText(sql)
    await this.sight.find()
    const { uses, unbound, views, mayFailEarly } = await this.resolve(sql)
    await this.views.refuseSettings(views, options)
    const listing = await this.allowed(uses, asked)
    if (this.hides?.throughViews && mayFailEarly) await this.sight.asWritten()
    await this.sight.only(listing?.listed)
    return unbound
  }

  /** Has the sender decide on these alone; refused, nothing is run. */
  async allowed(
    uses: readonly ObjectUse[],
    { options, stop }: Pick<Asked, 'options' | 'stop'>,
  ): Promise<Listing | null> {
    const { authorize } = options
    const verdict =
      authorize !== 'all' && uses.length > 0
        ? await Promise.race([decisionOf(authorize, uses), aborted(stop).then(() => null)])
        : null
    if (stop.aborted) throw new StatementInterrupted()
    if (isDenial(verdict)) throw new StatementRefused({ kind: 'permission', message: verdict.message })
    this.hides = verdict?.hides ?? null
    return verdict
  }

  private async resolve(sql: string): Promise<Resolved> {
    const version = this.known.versionSeen(this.stamp)
    const known = this.texts.get(sql)
    if (known && known.version === version) return known.resolved
    await refuseExpansive(sql, this.definitions)
    const resolved = await this.uses.of(sql, this.seen()).catch(async (error: unknown) => {
      throw error instanceof OtherMeaning ? await this.views.whyOther(error.view) : error
    })
    if (resolved.unresolved !== null) throw cannotBeChecked(resolved.unresolved)
    this.remember(sql, resolved, version)
    return resolved
  }

  private seen(): Seen {
    return { definitions: this.definitions, isChanging: this.defines !== null }
  }

  /** Which objects a text uses, and not whether that is allowed, holds until a definition changes. */
  private remember(sql: string, resolved: Resolved, version: number | null): void {
    if (version === null || !resolved.isLasting || this.known.versionSeen(this.stamp) !== version) return
    this.texts.set(sql, { version, resolved }, sql.length + WEIGHT_OF_USE * resolved.uses.length)
  }

  /** In the open transaction. */
  writtenCatalog(sql: string, attached: AttachedCatalogs): Promise<string> {
    return writtenCatalog({ connection: this.connection, attached, uses: this.uses }, sql)
  }

  /** Right before a statement runs that may define something. */
  async running(
    sql: string,
    { type, writes }: Pick<ReadyStatement, 'type' | 'writes'>,
    options: Pick<ExecuteOptions, 'takenFor' | 'settings'>,
  ): Promise<void> {
    if (!writes || CHANGES_ROWS.has(type)) return
    // What this transaction has made is not there for anybody else yet, so that nothing can be compared.
    const seen = this.seen()
    if (!seen.isChanging) await this.views.refuseNew(sql, options)
    this.definesNow(changedBy(sql))
    const { changes, altered, isAll } = await this.uses.changesOf(sql, seen)
    this.changes.push(...changes)
    this.altered.push(...altered)
    this.isUntold ||= !isAll
    this.own = null
    this.definitions = this.seenFrom(untouchedOf(this.stamp, this.defines ?? 'all'))
  }

  /** What more than before is changed in the open transaction is changed from now on. */
  private definesNow(more: Changing): void {
    const before = this.defines
    const changing = bothChanging(before, more)
    if (before === changing) return
    if (!before) this.since = this.names.position
    // The wider change starts before the narrower one ends, so that there is no gap between them.
    this.known.changes(changing)
    if (before) this.known.changed(before)
    this.defines = changing
  }

  close(): void {
    this.clean.close()
  }

  /** After a statement and the transaction around it. Gives what has taken effect with it. */
  ended(isTaken: boolean): Pick<FinishedOutcome, 'changed' | 'defined'> {
    this.uses.forget()
    if (this.defines) {
      this.known.changed(this.defines)
      this.own = null
    }
    if (this.transaction.isOpen) {
      // What it was about to do may be done all the same.
      this.isUntold ||= !isTaken
      return {}
    }
    const { changes: changed, altered, isUntold, defines } = this
    if (defines) this.note(isTaken)
    this.defines = null
    this.isUntold = false
    this.changes = []
    this.altered = []
    if (!isTaken || !defines) return {}
    return { ...(changed.length > 0 && { changed }), defined: { altered, isUntold } }
  }

  /** Before anybody learns that it took effect. */
  private note(isTaken: boolean): void {
    const mayBeTaken = isTaken || this.commits !== this.transaction.commits
    if (mayBeTaken && (this.isUntold || !isTaken)) this.names.doubt()
    else if (isTaken) this.names.took(this.changes, this.since)
  }
}

/** What comes and goes with these: with tables no view and no macro, with views no macro. Others may do anything. */
const CHANGED_BY: Partial<Readonly<Record<StatementKind, Changing>>> = {
  'create-table': 'tables',
  'drop-table': 'tables',
  'alter-table': 'tables',
  'create-index': 'tables',
  'drop-index': 'tables',
  'create-sequence': 'tables',
  'alter-sequence': 'tables',
  'create-view': 'views',
  'drop-view': 'views',
  'alter-view': 'views',
  'drop-sequence': 'views',
  'create-type': 'views',
  'drop-type': 'views',
  'create-database': 'views',
}

const changedBy = (sql: string): Changing => CHANGED_BY[readStatement(sql).kind] ?? 'all'

function cannotBeChecked(why: string): StatementRefused {
  const message = `The objects that this statement uses cannot be determined, so it did not run: ${why}.`
  return new StatementRefused({ kind: 'permission', message })
}
