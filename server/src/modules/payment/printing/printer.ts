import { createFairQueue } from '../../../kernel/fair-queue.ts'
import { createThread } from '../../../kernel/worker-thread.ts'
import type { PdfSource } from './document.ts'

/** What the thread answers with. */
export type Printed = { readonly pdf: Uint8Array } | { readonly problem: string }

const MEMORY_MB = 256

const WIDTH = {
  atOnce: 1,
  ranks: { print: { places: 128, shares: [{ most: 16, of: 'of this account' }] } },
}

/** Prints documents on a thread of its own, one at a time; accounts take turns. */
export function createPrinter({ workerPath }: { workerPath: () => Promise<string> }) {
  const queue = createFairQueue(WIDTH)
  const thread = createThread<Printed>({ path: workerPath, memoryMb: MEMORY_MB })

  return {
    async print(accountId: string, source: PdfSource): Promise<Buffer> {
      const printed = await queue({ rank: 'print', path: [accountId] }, () => thread.run(source))
      if ('problem' in printed) throw new Error(`The document was not printed: ${printed.problem}`)
      return Buffer.from(printed.pdf)
    },

    close: thread.close,
  }
}

export type Printer = ReturnType<typeof createPrinter>
