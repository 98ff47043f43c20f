import { randomUUID } from 'node:crypto'
import type { EngineSession } from '../engine/session.ts'
import type { FinishedOutcome } from '../engine/outcome.ts'
import { MIB } from './fixture.ts'

export const KEEP = { maxRows: 100_000, maxBytes: 16 * MIB }

/** Runs a statement of which `maxRows` are shown, and gives the id it is kept under. */
export async function runKept(
  session: EngineSession,
  sql: string,
  {
    maxRows = 10,
    keep = KEEP,
    longestCell,
  }: { maxRows?: number; keep?: typeof KEEP; longestCell?: number } = {},
): Promise<FinishedOutcome & { queryId: string }> {
  const queryId = randomUUID()
  const options = {
    takenFor: null,
    authorize: 'all' as const,
    maxRows,
    longestCell,
    queryId,
    keep,
    profile: null,
  }
  const outcome = await session.execute(sql, options).outcome
  if (outcome.state !== 'finished')
    throw new Error(`The statement has not finished: ${JSON.stringify(outcome)}`)
  return { ...outcome, queryId }
}
