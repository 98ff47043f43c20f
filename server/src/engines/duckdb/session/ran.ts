import type { Effect } from '../../engine/capabilities.ts'
import type { Described } from '../../engine/describing.ts'
import type { FileReport } from '../../engine/files.ts'
import type { FinishedOutcome, KeptResult, ProfileNode } from '../../engine/outcome.ts'
import type { ResultRows } from '../../engine/rows.ts'

/** What came of a statement. */
export interface Ran extends Effect {
  readonly result: ResultRows
  readonly bytes: number
  readonly sinkRows?: number
  readonly kept: KeptResult | null
  readonly profile: ProfileNode | null
  readonly described?: Described
  readonly file?: FileReport
}

/** Of a statement that was only described, beside its description. */
export const RAN_NOTHING: Ran = {
  result: { columns: [], rows: [], truncated: false, rowsChanged: null },
  bytes: 0,
  kept: null,
  profile: null,
  rowsChanged: null,
}

/** What of it is a part of the outcome. */
export const handedOver = ({ result, bytes, kept, profile, sinkRows, described, file }: Ran) =>
  ({
    result,
    bytes,
    kept,
    profile,
    ...(sinkRows !== undefined && { sinkRows }),
    ...(described && { described }),
    ...(file && { file }),
  }) satisfies Partial<FinishedOutcome>
