import { NOTHING_TO_LOSE } from '../../engine/session.ts'
import type { Outcome } from '../../engine/outcome.ts'
import { PROGRESS_UNKNOWN, type QueryRun } from '../../engine/run.ts'
import type { FileOrder, FileReading, InspectOrder, LoadOrder, StreamOrder } from '../../engine/files.ts'
import type { Inspector } from './inspectors.ts'

const CANCELLED: Outcome = { state: 'cancelled', session: NOTHING_TO_LOSE }

/** What only a process that is nobody's engine finds out in safety. The others are read line by line, within bounds. */
const CHECKED: ReadonlySet<FileOrder['reading']['format']> = new Set(['json', 'ndjson', 'parquet'])

/** Looks at a file, in a process of its own. */
export function inspectingRun(inspector: Inspector, order: InspectOrder): QueryRun {
  const stopping = new AbortController()
  const outcome = inspector.inspect(order, stopping.signal).then((look): Outcome => {
    if (look === null) return CANCELLED
    if ('error' in look) return { state: 'failed', error: look.error, session: NOTHING_TO_LOSE }
    const { result, bytes, ...found } = look
    return {
      state: 'finished',
      result,
      bytes,
      kept: null,
      profile: null,
      peakMemoryBytes: null,
      session: NOTHING_TO_LOSE,
      file: { ...found, rejected: [] },
    }
  }, unavailable)
  return {
    outcome,
    progress: () => PROGRESS_UNKNOWN,
    async cancel() {
      stopping.abort()
      await outcome
    },
  }
}

/** Records of a stream have columns that are known: how deep they are nested is no matter. */
const checkedOf = (order: LoadOrder | StreamOrder): readonly { file: string; reading: FileReading }[] =>
  order.does === 'stream'
    ? order.parts.filter(({ reading }) => reading.format === 'parquet')
    : [order].filter(({ reading }) => CHECKED.has(reading.format))

/** Has files looked at first where reading them could end the engine. */
export function loadingRun(
  inspector: Inspector,
  order: LoadOrder | StreamOrder,
  load: () => QueryRun,
): QueryRun {
  const checked = checkedOf(order)
  if (checked.length === 0) return load()
  const stopping = new AbortController()
  let loading: QueryRun | null = null
  const firstError = async () => {
    for (const { file, reading } of checked) {
      const error = await inspector.check(file, reading, stopping.signal)
      if (error || stopping.signal.aborted) return error
    }
    return null
  }
  const outcome = firstError().then((error) => {
    if (stopping.signal.aborted) return CANCELLED
    if (error) return { state: 'failed', error, session: NOTHING_TO_LOSE } satisfies Outcome
    loading = load()
    return loading.outcome
  }, unavailable)
  return {
    outcome,
    progress: () => loading?.progress() ?? PROGRESS_UNKNOWN,
    async cancel() {
      stopping.abort()
      await loading?.cancel()
      await outcome
    },
  }
}

function unavailable(error: unknown): Outcome {
  const message = error instanceof Error ? error.message : String(error)
  return { state: 'failed', error: { kind: 'unavailable', message }, session: NOTHING_TO_LOSE }
}
