import type { StreamCounts, StreamPart } from '../../../engines/engine/files.ts'
import { quoteIdentifier, quoteString } from '@boathouse/sql'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Log } from '../../../kernel/log.ts'
import { CUT_OFF } from '../../query/running/ending.ts'
import type { FileEnd, FileRun, RunFile } from '../file-runs.ts'
import type { FailureCause } from './live-load.ts'
import type { FoundTarget } from './stream-target.ts'

/** One statement that loads what has arrived. */
export interface StreamRun {
  readonly requestId: string
  readonly label: string
  readonly target: FoundTarget
  readonly parts: readonly StreamPart[]
  /** Everything is loaded and taken back. */
  readonly isTrial?: boolean
  readonly sender: NonNullable<FileRun['sender']>
  onProgress(percentage: number): void
}

/** How it ended. `unknown`: the engine will say later whether the rows are in the table. */
export interface StreamEnding {
  readonly state: 'finished' | 'failed' | 'cancelled' | 'unknown'
  readonly message: string
  readonly cause?: FailureCause | undefined
  readonly queryId: string
  /** Of each part that was looked at; null when only the outcome is known. */
  readonly counts: readonly StreamCounts[] | null
  /** Of all parts; null when nothing was loaded. */
  readonly rows: number | null
  /** Nothing of it is in the table, for sure: it may be tried in another way. */
  readonly isUndone: boolean
}

/** What the history says of a run. */
function streamText({ label, parts, isTrial }: Pick<StreamRun, 'label' | 'parts' | 'isTrial'>): string {
  const tables = parts.map(({ table }) =>
    [table.catalog, table.database, table.name].map(quoteIdentifier).join('.'),
  )
  const verb = isTrial ? 'STREAM LOAD PREPARE' : 'STREAM LOAD'
  return `${verb} ${quoteString(label)} INTO ${[...new Set(tables)].join(', ')}`
}

export const streamRequestOf = (taskId: string): string => `stream-${taskId}`

export function endingOf({ answer, outcome }: FileEnd): StreamEnding {
  const report = outcome && outcome.state !== 'lost' ? outcome.file : undefined
  const known = { message: answer.message, queryId: answer.queryId, counts: report?.parts ?? null }
  if (answer.state === 'finished')
    return { ...known, state: 'finished', rows: answer.result?.rowsChanged ?? null, isUndone: false }
  const isUnknown = answer.message.includes(CUT_OFF.unknown)
  const state = isUnknown ? 'unknown' : answer.code === 'Cancelled' ? 'cancelled' : 'failed'
  return { ...known, cause: answer, state, rows: null, isUndone: outcome?.state === 'failed' }
}

const NOT_KNOWN =
  'The service cannot say yet whether the rows are in the table. Send the same data with the same label to find out.'

/** Runs loads as statements of their senders. */
export function createStreamRuns({ runFile, log }: { readonly runFile: RunFile; readonly log: Log }) {
  return async function run(actor: Actor, stream: StreamRun): Promise<StreamEnding> {
    const { requestId, label, target, parts, isTrial = false, sender } = stream
    const [first] = parts
    if (!first) throw new Error('A stream load has a part.')
    const sent = runFile(actor, {
      requestId,
      text: streamText(stream),
      order: { does: 'stream', reading: first.reading, parts, isTrial },
      catalog: target.table.catalog,
      database: target.table.database,
      warehouseId: target.warehouse.id,
      sender,
      onAnswer: ({ progress }) => progress?.percentage != null && stream.onProgress(progress.percentage),
    })
    try {
      return endingOf(await sent)
    } catch (error) {
      if (error instanceof AppError) throw error
      log.error({ err: error, label }, 'the end of a stream load is not known yet')
      return { state: 'unknown', message: NOT_KNOWN, queryId: '', counts: null, rows: null, isUndone: false }
    }
  }
}

export type RunStream = ReturnType<typeof createStreamRuns>
