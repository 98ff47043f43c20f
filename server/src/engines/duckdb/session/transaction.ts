import type { SavepointStatement } from '@boathouse/sql'
import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api'
import type { Effect } from '../../engine/capabilities.ts'
import { firstWord } from '../guard/first-words.ts'
import { prepareMark, runMark } from './effects.ts'
import { Savepoints } from './savepoints.ts'
import { StatementInterrupted, StatementRefused, readReport } from '../errors.ts'

/** A statement of ours on a user's connection, made ready when it is first needed. */
type OwnStatement = 'BEGIN' | 'COMMIT' | 'ROLLBACK'

/** The statement in whose name a transaction is written or ended. */
export interface Acting<T> {
  readonly queryId: string
  /** That it writes to, as far as it writes. */
  readonly catalog: string
  /** Tells, where it can, when DuckDB has done its part and the rest is ours alone. */
  act(onRan: () => void): Promise<T>
  isCancelled(): boolean
  /** From here on it is not interrupted any more. */
  settle(): void
}

const NOTHING = () => undefined

/** Statements that take back what was done. */
export const UNDOES: ReadonlySet<string> = new Set(['ROLLBACK', 'ABORT'])

/**
 * A connection's transactions. DuckDB does not say whether one is open, so they are followed here; and every
 * statement that writes is remembered in the very transaction in which it writes.
 */
export class SessionTransaction {
  /** The user's, from one statement of theirs to another. */
  isOpen = false
  /** Of the user's that is open. */
  readonly savepoints: Savepoints
  /** How many commits were tried, whether or not they succeeded. */
  commits = 0
  /** Where something is remembered in the open transaction, so that its end is remembered too. */
  private writtenTo: string | null = null
  /** Ours is open, around a single statement. */
  private isOurs = false
  private readonly own = new Map<OwnStatement, DuckDBPreparedStatement>()
  /** By the catalog. */
  private readonly marks = new Map<string, DuckDBPreparedStatement>()

  constructor(private readonly connection: DuckDBConnection) {
    this.savepoints = new Savepoints({
      isAlive: () => this.isAlive(),
      undo: async () => {
        this.isOpen = false
        await this.undo()
      },
      begin: async (sql) => {
        await connection.run(sql)
        this.isOpen = true
        this.writtenTo = null
      },
    })
  }

  /** Without a transaction of the user's there is nothing to save. */
  async save(savepoint: SavepointStatement): Promise<void> {
    if (this.isOpen) await this.savepoints.run(savepoint)
  }

  /** After most errors DuckDB takes nothing but the end of a transaction. */
  private async isAlive(): Promise<boolean> {
    try {
      await this.connection.run('SELECT 1')
      return true
    } catch (error) {
      if (readReport(error).type === 'TransactionContext') return false
      throw error
    }
  }

  /**
   * Begins one around a single statement, unless the user's is open. Before the statement is bound: DuckDB plans by what
   * the tables hold at that moment, and leaves out a condition that all rows meet. Run on rows that were committed
   * later, such a plan is wrong without a word.
   */
  async enter(): Promise<void> {
    if (this.isOpen || this.isOurs) return
    // Interrupted, it may have begun all the same.
    this.isOurs = true
    await this.run('BEGIN')
  }

  /** A catalog has another name from now on. */
  renamed(from: string): void {
    this.marks.get(from)?.destroySync()
    this.marks.delete(from)
  }

  /** Ends ours, if it is still open: what was done in it is undone. */
  async leave(): Promise<void> {
    if (!this.isOurs) return
    this.isOurs = false
    await this.undo()
  }

  /** Committed nevertheless: what was drawn from a sequence must not be drawn again. */
  async read<T>({ act, settle }: Acting<T>): Promise<T> {
    if (!this.isOurs) return act(NOTHING)
    let committing: Promise<void> | null = null
    const commit = () => (committing ??= this.commitRead(settle))
    try {
      // While the rows are made to text.
      const done = await act(() => void commit().catch(NOTHING))
      await commit()
      return done
    } finally {
      await (committing as Promise<void> | null)?.catch(NOTHING)
    }
  }

  private async commitRead(settle: () => void): Promise<void> {
    settle()
    await this.run('COMMIT')
    this.isOurs = false
  }

  /** What the statement does and the note of it happen together or not at all. */
  async write<T extends Effect>(acting: Acting<T>): Promise<T> {
    const { queryId, catalog, act, isCancelled, settle } = acting
    if (!this.isOurs) this.requireOne(catalog)
    const done = await act(NOTHING)
    await this.mark(catalog, queryId, done)
    if (!this.isOurs) {
      this.writtenTo = catalog
      return done
    }
    settle()
    if (isCancelled()) throw new StatementInterrupted()
    this.commits++
    await this.run('COMMIT')
    this.isOurs = false
    return done
  }

  /** Of DuckDB's transactions each writes to one database. Said here, it leaves the transaction as it is. */
  private requireOne(catalog: string): void {
    if (this.writtenTo === null || this.writtenTo === catalog) return
    const message = `A transaction can write to one catalog only, and this one has written to ${this.writtenTo}. Commit it, then write to ${catalog}.`
    throw new StatementRefused({ kind: 'data', message })
  }

  /** A statement of the user's that begins or ends a transaction. Short, hence never interrupted. */
  async control<T>(sql: string, { queryId, act, settle }: Acting<T>): Promise<T> {
    settle()
    const verb = firstWord(sql)
    if (verb === 'BEGIN' || verb === 'START') {
      const begun = await act(NOTHING)
      this.isOpen = true
      this.writtenTo = null
      this.savepoints.begin(sql)
      return begun
    }
    if (this.isOpen && (verb === 'COMMIT' || verb === 'END')) await this.beforeCommit(queryId)
    if (!UNDOES.has(verb)) this.commits++
    // Ended by DuckDB even where it fails.
    this.isOpen = false
    return act(NOTHING)
  }

  /** DuckDB takes the COMMIT of an aborted transaction for a ROLLBACK and says nothing. */
  private async beforeCommit(queryId: string): Promise<void> {
    try {
      if (this.writtenTo !== null) await this.mark(this.writtenTo, queryId, { rowsChanged: null })
      else await this.connection.run('SELECT 1')
    } catch (error) {
      this.isOpen = false
      await this.undo()
      if (readReport(error).type !== 'TransactionContext') throw error
      const message =
        'An earlier statement of this transaction failed, so the transaction was rolled back. Nothing took effect.'
      throw new StatementRefused({ kind: 'data', message, code: 'rolled-back' })
    }
  }

  private async mark(catalog: string, queryId: string, effect: Effect): Promise<void> {
    const mark = this.marks.get(catalog) ?? (await prepareMark(this.connection, catalog))
    this.marks.set(catalog, mark)
    await runMark(mark, queryId, effect)
  }

  private async undo(): Promise<void> {
    try {
      await this.run('ROLLBACK')
    } catch (error) {
      // There is none any more after a COMMIT that failed, and none yet after a BEGIN that did.
      if (readReport(error).type !== 'TransactionContext') throw error
    }
  }

  private async run(statement: OwnStatement): Promise<void> {
    await (await this.ready(statement)).run()
  }

  private async ready(statement: OwnStatement): Promise<DuckDBPreparedStatement> {
    const known = this.own.get(statement)
    if (known) return known
    const prepared = await this.connection.prepare(statement)
    this.own.set(statement, prepared)
    return prepared
  }
}
