import { existsSync, readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename } from 'node:path'
import { parentPort } from 'node:worker_threads'
import type { LargeText } from './analyses.ts'
import { analyseText } from './analysed-text.ts'

const THIS_THREAD = '/proc/thread-self'
/** Of 19, the least there is. */
const NICENESS = 10

/** The thread that serves everyone goes first where there are fewer processors than threads. Known to Linux alone. */
if (existsSync(THIS_THREAD)) setPriority(Number(basename(readlinkSync(THIS_THREAD))), NICENESS)

/** Analyses large texts beside the thread that serves everyone. A text comes, and what it says goes back. */
parentPort?.on('message', ({ sql, quotes }: LargeText) => {
  const analysed = analyseText(sql, quotes)
  const tokens = analysed.statements[0]?.tokens
  const arrays = tokens ? [tokens.kinds, tokens.starts, tokens.ends, tokens.partners] : []
  parentPort?.postMessage(
    analysed,
    // All statements of a text share these; handed over, they are not copied.
    arrays.map(({ buffer }) => buffer as ArrayBuffer),
  )
})
