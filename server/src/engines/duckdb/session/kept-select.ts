import type { DuckDBConnection } from '@duckdb/node-api'
import type { ExecuteOptions } from '../../engine/run.ts'
import { StatementInterrupted } from '../errors.ts'
import { runKept } from '../rows/kept-rows.ts'
import { isNarrow } from '../rows/narrow-rows.ts'
import { RowsMissing } from '../rows/row-source.ts'
import type { Asked } from './asked.ts'
import { mostRows } from './bound-statement.ts'
import type { Ran } from './ran.ts'
import { isSmall } from './select-cache.ts'
import type { SessionWorld } from './session-world.ts'
import type { ReadyStatement } from './statement.ts'

interface KeptParts {
  readonly connection: DuckDBConnection
  readonly world: Pick<SessionWorld, 'own' | 'resultWriter' | 'selects'>
  /** Of the session. */
  readonly timeZone: string
}

interface KeptAsked extends Asked {
  readonly options: ExecuteOptions & { readonly keep: NonNullable<ExecuteOptions['keep']> }
}

/** Runs a select whose rows are kept, and remembers of its text what it gave. */
export async function runKeptSelect(
  { connection, world, timeZone }: KeptParts,
  ready: ReadyStatement,
  { sql, options, runState, onRan }: KeptAsked,
): Promise<Ran> {
  const { own: other, resultWriter, selects } = world
  const seenAfter = selects.writes
  const most = mostRows(options)
  const narrow = isNarrow(ready.prepared, most)
  const isHeld = narrow || !ready.isCounted
  const run = { connection, timeZone, other, resultWriter, options, isHeld, mostRows: most, onRan }
  const ran = await runKept(ready, run).catch((error: unknown) => {
    throw runState.isCancelled && error instanceof RowsMissing ? new StatementInterrupted() : error
  })
  if (ready.isOneSelect) selects.set(sql, { isNarrow: narrow, isSmall: isSmall(sql, ran) }, seenAfter)
  return { ...ran, rowsChanged: null, profile: null }
}
