import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from '../../engine/cluster-space.ts'
import { NonsenseAnswer } from './answer.ts'

/** Nobody waits longer than this for a cluster that does not answer, or answers that it is busy. */
const PATIENCE_MS = 30_000
/** An answer comes within a second, since the coordinator waits no longer for news. After this long there will be none. */
const SILENT_AFTER_MS = 20_000
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 2_000
const LONGEST_ANSWER_BYTES = 256 * 1024 * 1024

/** For these the protocol says: the same once more. */
const BUSY = new Set([429, 502, 503, 504])

interface ClientRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** A path, or a link of an answer. */
  readonly link: string
  readonly user: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

interface ClientAnswer {
  readonly text: string
  readonly headers: Headers
}

/** The cluster could not be reached, was busy for too long, or no longer knows what was asked for. */
export class ContactLost extends Error {
  override readonly name = 'ContactLost'
}

/** It answers, and knows nothing of what was asked for. */
export class NoLongerKnown extends ContactLost {}

/** The cluster answered that it does not do this. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused'
}

export interface ClientOptions {
  readonly patienceMs?: number | undefined
  readonly silentAfterMs?: number | undefined
}

/** Sends requests to one coordinator, and the same again where the protocol says so. */
export class ClusterClient {
  readonly #lost = new AbortController()
  readonly #origin: string

  constructor(
    private readonly cluster: Cluster,
    private readonly options: ClientOptions = {},
  ) {
    this.#origin = new URL(cluster.url).origin
    // Every request that is under way listens to it.
    setMaxListeners(0, this.#lost.signal)
  }

  /** From now on nothing is sent, and nobody waits for an answer. */
  giveUp(reason: string): void {
    this.#lost.abort(new ContactLost(reason))
  }

  /**
   * Every request may be sent again. A statement is not begun before the first link of its answer is followed, so one
   * whose answer did not arrive is not run; a page is named by its number, and given again.
   */
  async send(request: ClientRequest): Promise<ClientAnswer> {
    const { patienceMs = PATIENCE_MS } = this.options
    const until = performance.now() + patienceMs
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      const { answer, problem, waitMs = 0 } = await this.#try(request)
      if (answer) return answer
      const wait = Math.max(waitMs, pauseMs)
      if (performance.now() + wait > until) throw new ContactLost(problem)
      await sleep(wait, undefined, { signal: this.#lost.signal }).catch(() => this.#throwIfLost())
    }
  }

  async #try(request: ClientRequest): Promise<Tried> {
    this.#throwIfLost()
    const { silentAfterMs = SILENT_AFTER_MS } = this.options
    const stop = new AbortController()
    const end = (): void => stop.abort()
    // Not `AbortSignal.any`: each would stay with a signal that lasts as long as the engine.
    this.#lost.signal.addEventListener('abort', end)
    const silence = setTimeout(end, silentAfterMs)
    try {
      const { fetch: send = fetch } = this.cluster
      const response = await send(this.#addressOf(request.link), {
        method: request.method,
        headers: { ...this.cluster.headersFor(request.user), ...request.headers },
        body: request.body ?? null,
        redirect: 'error',
        signal: stop.signal,
      })
      return judged(response, await textOf(response))
    } catch (error) {
      if (error instanceof ContactLost || error instanceof RequestRefused || error instanceof NonsenseAnswer)
        throw error
      this.#throwIfLost()
      return {
        problem: stop.signal.aborted ? 'The cluster does not answer.' : 'The cluster cannot be reached.',
      }
    } finally {
      clearTimeout(silence)
      this.#lost.signal.removeEventListener('abort', end)
    }
  }

  #throwIfLost(): void {
    if (this.#lost.signal.aborted) throw this.#lost.signal.reason
  }

  /** An answer leads to the same coordinator, or nowhere: what proves the service goes with each request. */
  #addressOf(link: string): URL {
    let address: URL
    try {
      address = new URL(link.startsWith('/') ? this.cluster.url + link : this.cluster.addressOf(link))
    } catch {
      throw new NonsenseAnswer('Its link is no address.')
    }
    if (address.origin !== this.#origin) throw new NonsenseAnswer('Its link leads to another server.')
    return address
  }
}

interface Tried {
  readonly answer?: ClientAnswer
  readonly problem: string
  /** What the cluster asks for. */
  readonly waitMs?: number
}

function judged(response: Response, text: string): Tried {
  const { status, headers } = response
  if (response.ok) return { answer: { text, headers }, problem: '' }
  if (BUSY.has(status))
    return { problem: `The cluster is too busy (${status}).`, waitMs: retryAfterMs(headers) }
  if (status === 404 || status === 410) throw new NoLongerKnown('The cluster no longer knows this statement.')
  if (status === 401 || status === 403) throw new RequestRefused('The cluster does not accept the service.')
  throw new RequestRefused(`The cluster answered with the status ${status}.`)
}

/** In seconds, or as a date. */
function retryAfterMs(headers: Headers): number {
  const asked = headers.get('retry-after')
  if (asked === null) return 0
  const seconds = Number(asked)
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(asked) - Date.now()
  return Number.isFinite(wait) ? Math.max(0, wait) : 0
}

/** Not more than fits: an answer has a few megabytes, unless a single row has more. */
async function textOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body ?? []) {
    length += part.length
    if (length > LONGEST_ANSWER_BYTES)
      throw new RequestRefused('A row of the result is too large: the maximum is 256 MiB.')
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}
