import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type DuckDBConnection, quotedString } from '@duckdb/node-api'
import type { ProfileNode } from '../../engine/outcome.ts'
import { readReport } from '../errors.ts'
import { folded } from '../plans/fold-plan.ts'
import { nodeOf, type Written } from '../plans/read-plan.ts'

export interface Profiling<T> {
  /** What runs is put into a frame of ours, which is not shown. */
  readonly isFramed: boolean
  act(): Promise<T>
  /** From here on nothing interrupts. */
  settle(): void
}

/**
 * Reports how statements of a connection ran. DuckDB writes that into a file for every statement, until profiling is
 * disabled.
 */
export class Profiler {
  private file: string | null = null

  constructor(
    private readonly connection: DuckDBConnection,
    /** Where DuckDB may write. */
    private readonly directory: string,
  ) {}

  /** Profiling continues after a failure, until it is stopped. */
  async run<T>({ isFramed, act, settle }: Profiling<T>): Promise<{ value: T; profile: ProfileNode | null }> {
    const file = join(this.directory, `${randomUUID()}.json`)
    this.file = file
    await this.connection.run(
      `SET enable_profiling = 'json'; SET profiling_coverage = 'ALL'; SET profiling_output = ${quotedString(file)}`,
    )
    const value = await act()
    settle()
    await this.turnOff()
    const profile = await readProfile(file, isFramed)
    await this.forget(file)
    return { value, profile }
  }

  /** To be called after every statement. */
  async stop(): Promise<void> {
    if (!this.file) return
    try {
      await this.turnOff()
      await this.forget(this.file)
    } catch (error) {
      // A transaction that has failed takes nothing but its end, after which this is called again.
      if (readReport(error).type !== 'TransactionContext') throw error
    }
  }

  private async turnOff(): Promise<void> {
    await this.connection.run('PRAGMA disable_profiling')
  }

  private async forget(file: string): Promise<void> {
    await rm(file, { force: true })
    this.file = null
  }
}

/** Its memory is not read: DuckDB reports the most that a connection has ever seen in use, and nothing for operators. */
async function readProfile(file: string, isFramed: boolean): Promise<ProfileNode | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    // Of some statements, as of EXPLAIN, there is none.
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  const query = JSON.parse(text) as { readonly children: readonly Written[] }
  const [root] = query.children
  // The frame is a common table expression, or a union with a row of ours: what is the user's comes first in both.
  const shown = root && isFramed ? nodeOf(root).children[0] : root && nodeOf(root)
  return shown ? folded(shown) : null
}
