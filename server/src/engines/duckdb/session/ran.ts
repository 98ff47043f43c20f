import type { Effect } from '../../engine/capabilities.ts'
import type { FileReport } from '../../engine/files.ts'
import type { KeptResult, ProfileNode } from '../../engine/outcome.ts'
import type { ResultRows } from '../../engine/rows.ts'

/** What came of a statement. */
export interface Ran extends Effect {
  readonly result: ResultRows
  readonly bytes: number
  readonly sinkRows?: number
  readonly kept: KeptResult | null
  readonly profile: ProfileNode | null
  readonly file?: FileReport
}
