import { formatDuration } from '../../../lib/format.ts'
import type { StatementResult } from '../running/run.ts'

/** A statement that never ran has no time. */
export const tookText = ({ timeUsed }: Pick<StatementResult, 'timeUsed'>): string =>
  formatDuration(timeUsed > 0 ? timeUsed : Number.NaN)
