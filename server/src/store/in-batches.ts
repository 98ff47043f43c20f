import { setImmediate as yieldToOthers } from 'node:timers/promises'

const BATCH_ROWS = 1000
/** Of one run of a job, so that a server that is to end does not wait for it. What is left is for the next run. */
const MOST_BATCHES = 100

/**
 * Repeats work that takes at most so many rows, and says how many it took, until nothing is left: no statement of it
 * holds its locks or its connection for long, and others come in between.
 */
export async function inBatches(work: (most: number) => Promise<number>, most = BATCH_ROWS): Promise<void> {
  for (let batch = 0; batch < MOST_BATCHES && (await work(most)) >= most; batch++) await yieldToOthers()
}
