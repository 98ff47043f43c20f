import type { DuckDBConnection } from '@duckdb/node-api'
import { keepingForeignKeys } from '../guard/foreign-keys.ts'
import { refuseMistaken } from '../guard/purpose.ts'
import type { Asked } from './asked.ts'
import type { SessionObjects } from './session-objects.ts'
import type { ReadyStatement } from './statement.ts'
import type { SessionTransaction } from './transaction.ts'

/** In the transaction of the statement that has just run. */
interface FollowedSession {
  readonly connection: DuckDBConnection
  readonly objects: SessionObjects
  readonly transaction: Pick<SessionTransaction, 'isOpen'>
  ready(sql: string): Promise<ReadyStatement>
}

/**
 * Runs what else a statement stands for that the engine has no single form of, as two tables that take each other's names.
 * Each text is decided on as if it were sent, behind what was done before it. All of it takes effect, or nothing.
 */
export async function runFollowing(
  session: FollowedSession,
  texts: readonly string[],
  asked: Pick<Asked, 'options' | 'runState'>,
): Promise<void> {
  try {
    for (const sql of texts) await runNext(session, sql, asked)
  } catch (error) {
    // A transaction of the user's must not be committed with half of it.
    if (session.transaction.isOpen)
      await session.connection.run(`SELECT system.main.error('')`).catch(() => undefined)
    throw error
  }
}

async function runNext(
  { connection, objects, ready }: FollowedSession,
  sql: string,
  { options, runState }: Pick<Asked, 'options' | 'runState'>,
): Promise<void> {
  const stop = runState.stopping.signal
  const bound = await objects.decided({ sql, options, stop }, () => ready(sql))
  try {
    refuseMistaken(bound.type, options.takenFor)
    await objects.running(sql, bound, options)
    await keepingForeignKeys(connection, sql, () => bound.prepared.run())
  } finally {
    bound.prepared.destroySync()
  }
}
