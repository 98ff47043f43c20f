/** What is sent, and where to. */
export interface PartsOrder {
  readonly file: Blob
  /** Part n goes to this address, a slash and n. */
  readonly url: string
  readonly partBytes: number
  /** The parts that are there already. */
  readonly received: readonly number[]
  readonly signal: AbortSignal
  /** Bytes that have arrived, and those of them that are the beginning of the file, without a gap. */
  readonly onProgress: (bytes: number, leading: number) => void
  /** True while nothing comes through. */
  readonly onWaiting: (isWaiting: boolean) => void
}

export interface PartsWorld {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

/** The service does not take this file, and says why. */
export class UploadRefused extends Error {
  override readonly name = 'UploadRefused'
}

/** While one part is written to the disk, others are on their way. */
const AT_ONCE = 3
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 8_000

/** Errors of the connection and of a restarting service pass; others do not. */
const passes = (status: number): boolean => status >= 500 || status === 408 || status === 429

async function refusalIn(response: Response): Promise<string> {
  const body = (await response.json().catch(() => null)) as { message?: unknown } | null
  return typeof body?.message === 'string' && body.message ? body.message : `HTTP ${response.status}`
}

async function tryPart({ fetch }: PartsWorld, order: PartsOrder, part: number): Promise<boolean> {
  const { file, url, partBytes, signal } = order
  try {
    const response = await fetch(`${url}/${part}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream' },
      body: file.slice(part * partBytes, (part + 1) * partBytes),
      signal,
    })
    if (response.ok) return true
    if (!passes(response.status)) throw new UploadRefused(await refusalIn(response))
  } catch (error) {
    if (error instanceof UploadRefused || signal.aborted) throw error
  }
  return false
}

/** Sends what is missing, a few parts at a time, each again and again until it has arrived. */
export async function sendParts(world: PartsWorld, order: PartsOrder): Promise<void> {
  const { file, partBytes, received, signal, onProgress, onWaiting } = order
  const there = new Set(received)
  const sizeOf = (part: number): number => Math.min(partBytes, file.size - part * partBytes)
  const all = Array.from({ length: Math.ceil(file.size / partBytes) }, (_, part) => part)
  const missing = all.filter((part) => !there.has(part))
  let arrived = all.filter((part) => there.has(part)).reduce((sum, part) => sum + sizeOf(part), 0)
  let leading = 0
  const report = () => {
    while (there.has(leading)) leading++
    onProgress(arrived, Math.min(leading * partBytes, file.size))
  }
  report()

  async function sendOne(part: number): Promise<void> {
    for (let waitMs = FIRST_WAIT_MS; !(await tryPart(world, order, part));) {
      onWaiting(true)
      await world.wait(waitMs, signal)
      waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)
    }
    onWaiting(false)
    arrived += sizeOf(part)
    there.add(part)
    report()
  }

  async function sendRest(): Promise<void> {
    for (let part = missing.shift(); part !== undefined; part = missing.shift()) {
      signal.throwIfAborted()
      await sendOne(part)
    }
  }

  await Promise.all(Array.from({ length: AT_ONCE }, sendRest))
}
