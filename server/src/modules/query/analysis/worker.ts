import { parentPort } from 'node:worker_threads'
import { yieldToOthers } from '../../../kernel/background-thread.ts'
import type { LargeText } from './analyses.ts'
import { analyseText } from './analysed-text.ts'

yieldToOthers()

/** Analyses large texts beside the thread that serves everyone. A text comes, and what it says goes back. */
parentPort?.on('message', ({ sql, names, quotes }: LargeText) => {
  const analysed = analyseText(sql, names, quotes)
  const tokens = analysed.statements[0]?.tokens
  const arrays = tokens ? [tokens.kinds, tokens.starts, tokens.ends, tokens.partners] : []
  parentPort?.postMessage(
    analysed,
    // All statements of a text share these; handed over, they are not copied.
    arrays.map(({ buffer }) => buffer as ArrayBuffer),
  )
})
