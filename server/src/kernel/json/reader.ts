import { createFairQueue } from '../fair-queue.ts'
import { createThread } from '../worker-thread.ts'
import type { JsonRules, ReadJson } from './parse.ts'

/** Up to this many bytes are read where they come in: that takes a few milliseconds at most. */
export const LARGE_JSON = 128 * 1024
/** Far more than the largest takes. */
const MEMORY_MB = 256

/** The message to the thread. */
export interface LargeJson {
  readonly bytes: Uint8Array
  readonly rules?: JsonRules
  /** What it is signed with, and what is signed before it. */
  readonly signed?: { readonly key: string; readonly before: string }
}

export interface LargeJsonRead {
  /** In hex; empty when none is required. */
  readonly signature: string
  readonly read: ReadJson
}

const WIDTH = {
  atOnce: 1,
  ranks: {
    large: {
      places: 256,
      shares: [
        { most: 64, of: 'from your address' },
        { most: 32, of: 'of yours' },
      ],
    },
  },
}

/** Reads large JSON on a thread of its own, one at a time, fair to all senders. */
export function createJsonReader({ workerPath }: { workerPath: () => Promise<string> }) {
  const queue = createFairQueue(WIDTH)
  const thread = createThread<LargeJsonRead>({ path: workerPath, memoryMb: MEMORY_MB })

  return {
    /** `whose`: address and login. The bytes are gone afterwards. */
    read: (whose: readonly [string, string], { bytes, ...asked }: LargeJson): Promise<LargeJsonRead> =>
      queue({ rank: 'large', path: whose }, () => {
        // A whole buffer can be transferred; a part of a shared one is copied.
        const isWhole = bytes.byteLength === bytes.buffer.byteLength
        const own = isWhole ? new Uint8Array(bytes.buffer) : bytes.slice()
        const job: LargeJson = { bytes: own, ...asked }
        return thread.run(job, [own.buffer as ArrayBuffer])
      }),

    close: thread.close,
  }
}

export type JsonReader = ReturnType<typeof createJsonReader>
