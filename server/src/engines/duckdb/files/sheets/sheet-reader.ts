import { parentPort, workerData } from 'node:worker_threads'
import { convertSheet, type FoundSheet, type SheetOrder } from './convert-sheet.ts'
import { SheetRefused } from './sheet-refusal.ts'

/** What the thread says, once. */
export type SheetAnswer =
  | { readonly found: FoundSheet }
  | { readonly refused: string }
  | { readonly failed: string; readonly code: string | null }

/** Entry of the thread that reads one spreadsheet. */
async function answerTo(order: SheetOrder): Promise<SheetAnswer> {
  try {
    return { found: await convertSheet(order) }
  } catch (error) {
    if (error instanceof SheetRefused) return { refused: error.message }
    const { message, code = null } = error as NodeJS.ErrnoException
    return { failed: message, code }
  }
}

parentPort?.postMessage(await answerTo(workerData as SheetOrder), [])
