import { formatDuration } from '../../../lib/format.ts'
import type { StatementResult } from '../running/run.ts'

/** One that never ran took no time, and none is told. */
export const tookText = ({ timeUsed }: Pick<StatementResult, 'timeUsed'>): string =>
  formatDuration(timeUsed > 0 ? timeUsed : Number.NaN)
