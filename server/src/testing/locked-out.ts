import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'

/**
 * Lets someone else be in the middle of a transaction while `work` runs: it commits once somebody waits for it, or
 * once `work` is done without having waited.
 */
export async function whileOtherWrites<T>(
  pool: Pool,
  statements: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const other = await pool.connect()
  try {
    await other.query('begin')
    for (const statement of statements) await other.query(statement)
    const answer = work()
    const isDone = answer.then(
      () => true,
      () => true,
    )
    const deadline = Date.now() + 120_000
    while (Date.now() < deadline && !(await someoneWaits(pool)))
      if (await Promise.race([isDone, sleep(5, false)])) break
    await other.query('commit')
    return await answer
  } finally {
    other.release()
  }
}

async function someoneWaits(pool: Pool): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return (rowCount ?? 0) > 0
}
