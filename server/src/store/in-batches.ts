import { setImmediate as yieldToOthers } from 'node:timers/promises'

const BATCH_ROWS = 1000
/** Of one run of a job, so that a server that is to end does not wait for it. What is left is for the next run. */
const MOST_BATCHES = 100

/**
 * Repeats work in batches until nothing is left: no statement holds its locks or its connection for long, and others
 * can run in between.
 */
export async function inBatches(work: (most: number) => Promise<number>, most = BATCH_ROWS): Promise<void> {
  for (let batch = 0; batch < MOST_BATCHES && (await work(most)) >= most; batch++) await yieldToOthers()
}
