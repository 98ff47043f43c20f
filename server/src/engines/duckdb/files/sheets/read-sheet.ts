import { Worker } from 'node:worker_threads'
import { StatementInterrupted, StatementRefused } from '../../errors.ts'
import type { FoundSheet, SheetOrder } from './convert-sheet.ts'
import type { SheetAnswer } from './sheet-reader.ts'

export interface SheetThread {
  /** The file with `sheet-reader.ts` as a program of its own. */
  readonly path: string
  readonly stop: AbortSignal
}

/** Besides the texts that sheets share, which have a limit of their own. */
const MEMORY_MB = 256

const refuse = (message: string) => new StatementRefused({ kind: 'data', message })

/** Reads a spreadsheet in a thread of its own, with memory of its own: what is in it may be anything. */
export async function readSheet(order: SheetOrder, { path, stop }: SheetThread): Promise<FoundSheet> {
  if (stop.aborted) throw new StatementInterrupted()
  const worker = new Worker(path, {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  })
  const end = () => void worker.terminate()
  stop.addEventListener('abort', end)
  try {
    const answer = await answerOf(worker)
    if ('found' in answer) return answer.found
    if ('refused' in answer) throw refuse(answer.refused)
    throw answer.code === 'ENOSPC'
      ? refuse('The disk of the service has no room for the rows of this sheet. Nothing was loaded.')
      : new Error(answer.failed)
  } catch (error) {
    throw stop.aborted ? new StatementInterrupted() : error
  } finally {
    stop.removeEventListener('abort', end)
    // It is done with its file before anybody removes that.
    await worker.terminate()
  }
}

const answerOf = (worker: Worker): Promise<SheetAnswer> =>
  new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('exit', () => reject(new Error('The thread that reads spreadsheets has ended.')))
    worker.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? refuse(
              'This spreadsheet needs more memory than is available for reading one. Save the sheet as CSV (UTF-8) and upload that.',
            )
          : error,
      ),
    )
  })
