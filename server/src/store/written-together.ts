import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from './error-code.ts'

/** In one write. */
const MOST_TOGETHER = 100
/** What the database says of a row that it refuses; then none of those written with it is there. */
const REFUSED = /^2[23]/

interface Waiting<Row, Written> {
  readonly row: Row
  resolve(written: Written): void
  reject(error: unknown): void
}

/**
 * Writes rows that many want written in one moment. To open a dozen indexes and to wait for the disk takes the database
 * longer than a row does: those that come while a write is under way are written by the next one, which begins `everyMs`
 * after that one began. One that comes alone is written at once. If the database refuses one of several, each is written
 * alone; if it could not be asked, they may be there or not, and each of them fails.
 */
export function createWrittenTogether<Row, Written>(
  write: (rows: readonly Row[]) => Promise<readonly Written[]>,
  everyMs = 0,
): (row: Row) => Promise<Written> {
  const waiting: Waiting<Row, Written>[] = []
  let isWriting = false

  /** Never rejects. */
  async function writeSome(together: readonly Waiting<Row, Written>[]): Promise<void> {
    try {
      const written = await write(together.map(({ row }) => row))
      for (const [at, { resolve }] of together.entries()) resolve(written[at] as Written)
    } catch (error) {
      if (together.length > 1 && REFUSED.test(errorCode(error) ?? ''))
        await Promise.all(together.map((one) => writeSome([one])))
      else for (const { reject } of together) reject(error)
    }
  }

  async function writeAll(): Promise<void> {
    isWriting = true
    while (waiting.length > 0) {
      const at = performance.now()
      await writeSome(waiting.splice(0, MOST_TOGETHER))
      const waitMs = at + everyMs - performance.now()
      if (waitMs > 0 && waiting.length > 0 && waiting.length < MOST_TOGETHER) await sleep(waitMs)
    }
    isWriting = false
  }

  return (row) =>
    new Promise((resolve, reject) => {
      waiting.push({ row, resolve, reject })
      if (!isWriting) void writeAll()
    })
}
