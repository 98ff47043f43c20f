import { NotSmall } from '../rows/kept-rows.ts'
import { type SinkRows, type SinkRun, runHeld } from '../rows/sink-rows.ts'
import { readReport } from '../errors.ts'
import type { RunOptions } from './bound-statement.ts'
import { SMALL_ROWS, type SelectCache } from './select-cache.ts'
import { FailedIn, cappedText, mayBeRenamed, refuseManyColumns, refuseText } from './statement.ts'

/** What DuckDB says before it runs anything: the statement is then bound as any other, for an error in its own words. */
const NOT_RUN = new Set(['Binder', 'Catalog', 'Parameter Not Allowed', 'Parser', 'Syntax'])

interface OnConnection {
  readonly selects: SelectCache
  /** A transaction of the user's is open. */
  readonly isInTransaction: boolean
}

/**
 * Whether a text can be parsed, bound and run by one call, in the transaction that DuckDB begins and ends for it. It has
 * been found to be one select before, perhaps with other values, and nobody has to be asked about it in between.
 */
export const canRunWhole = (
  sql: string,
  options: RunOptions,
  { selects, isInTransaction }: OnConnection,
): boolean =>
  options.authorize === 'all' &&
  options.takenFor === 'reads' &&
  !!options.sink &&
  !options.findsFailure &&
  !options.file &&
  !options.system &&
  !options.describe &&
  !options.profile &&
  !isInTransaction &&
  selects.canRunWhole(sql)

/** Null when it has to be run as any other: it is not what it was. Nothing of it was handed over then. */
export async function runWhole(sql: string, run: SinkRun): Promise<SinkRows | null> {
  // Its values may be others than those that were looked at.
  refuseText(sql)
  const cap = SMALL_ROWS + 1
  const { text, shift } = cappedText(sql, cap)
  try {
    return await runHeld(
      {
        prepared: { run: () => run.connection.run(text) },
        names: null,
        cap,
        check(result) {
          refuseManyColumns(result.columnCount)
          if (mayBeRenamed(result.columnNames())) throw new NotSmall()
        },
      },
      run,
    )
  } catch (error) {
    if (error instanceof NotSmall || NOT_RUN.has(readReport(error).type)) return null
    throw new FailedIn(error, { sql, shift })
  }
}
