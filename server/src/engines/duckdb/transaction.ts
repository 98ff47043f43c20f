import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api'
import type { Effect } from '../engine.ts'
import { prepareMark, runMark } from './effects.ts'
import { StatementInterrupted, StatementRefused, readReport } from './errors.ts'

/** A statement of ours on a user's connection, made ready when it is first needed. */
type OwnStatement = 'BEGIN' | 'COMMIT' | 'ROLLBACK' | 'mark'

/** The statement in whose name a transaction is written or ended. */
export interface Acting<T> {
  readonly queryId: string
  act(): Promise<T>
  isCancelled(): boolean
  /** From here on it is not interrupted any more. */
  settle(): void
}

/**
 * A connection's transactions. DuckDB does not tell whether one is open, so they are followed here; and every
 * statement that writes is remembered in the very transaction in which it writes.
 */
export class SessionTransaction {
  isOpen = false
  /** Something is remembered in the open transaction, so its end is remembered too. */
  private hasWritten = false
  private readonly own = new Map<OwnStatement, DuckDBPreparedStatement>()

  constructor(private readonly connection: DuckDBConnection) {}

  /** What the statement does and the note of it happen together or not at all. */
  async write<T extends Effect>({ queryId, act, isCancelled, settle }: Acting<T>): Promise<T> {
    if (this.isOpen) {
      const done = await act()
      await this.mark(queryId, done)
      this.hasWritten = true
      return done
    }
    try {
      await this.run('BEGIN')
      const done = await act()
      await this.mark(queryId, done)
      settle()
      if (isCancelled()) throw new StatementInterrupted()
      await this.run('COMMIT')
      return done
    } catch (error) {
      settle()
      await this.undo()
      throw error
    }
  }

  /** A statement of the user's that begins or ends a transaction. Short, hence never interrupted. */
  async control<T>(verb: string, { queryId, act, settle }: Acting<T>): Promise<T> {
    settle()
    if (verb === 'BEGIN' || verb === 'START') {
      const begun = await act()
      this.isOpen = true
      this.hasWritten = false
      return begun
    }
    if (this.isOpen && (verb === 'COMMIT' || verb === 'END')) await this.beforeCommit(queryId)
    // Ended by DuckDB even where it fails.
    this.isOpen = false
    return act()
  }

  /** DuckDB takes the COMMIT of an aborted transaction for a ROLLBACK and says nothing. */
  private async beforeCommit(queryId: string): Promise<void> {
    try {
      if (this.hasWritten) await this.mark(queryId, { rowsChanged: null })
      else await this.connection.run('SELECT 1')
    } catch (error) {
      this.isOpen = false
      await this.undo()
      if (readReport(error).type !== 'TransactionContext') throw error
      const message =
        'An earlier statement of this transaction failed: all of it was rolled back, and nothing took effect.'
      throw new StatementRefused({ kind: 'data', message })
    }
  }

  private async mark(queryId: string, effect: Effect): Promise<void> {
    await runMark(await this.ready('mark'), queryId, effect)
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
    const prepared = await (statement === 'mark'
      ? prepareMark(this.connection)
      : this.connection.prepare(statement))
    this.own.set(statement, prepared)
    return prepared
  }
}
