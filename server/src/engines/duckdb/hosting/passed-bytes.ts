import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options: { readonly type: 'minor' }) => void

let collect: Collect | null = null

/** V8 gives its collector to contexts that are made after this flag is set. */
function collector(): Collect {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as Collect
}

const MOST_BYTES = 8 * 1024 * 1024

/**
 * Counts rows that have passed through this process, and has their memory collected while it is young, which takes a
 * millisecond. Left alone, V8 notices so much of it that it looks through everything that the server holds, again and again.
 */
export class PassedBytes {
  private bytes = 0

  add(bytes: number): void {
    this.bytes += bytes
    if (this.bytes < MOST_BYTES) return
    this.bytes = 0
    collect ??= collector()
    collect({ type: 'minor' })
  }
}
