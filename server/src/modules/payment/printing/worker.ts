import { parentPort } from 'node:worker_threads'
import { yieldToOthers } from '../../../kernel/background-thread.ts'
import type { PdfSource } from './document.ts'
import { printPdf } from './print.ts'
import type { Printed } from './printer.ts'

yieldToOthers()

const answer = (printed: Printed) => parentPort?.postMessage(printed, [])

/** Prints beside the thread that serves everyone: fonts take far longer than a few milliseconds. */
parentPort?.on('message', (source: PdfSource) => {
  printPdf(source).then(
    (pdf) => answer({ pdf }),
    (error: unknown) => answer({ problem: String(error) }),
  )
})
