import { type AnsweredStats, readAnswer, type StatementAnswer } from './answer.ts'
import { type ClusterClient, ContactLost } from './client.ts'
import type { SessionHeaders } from './session-headers.ts'

/** A cluster gives a statement up of which nobody has asked for 5 minutes. */
const ASKED_AGAIN_MS = 60_000

interface QueryText {
  readonly sql: string
  readonly user: string
  readonly session: SessionHeaders
  /** By which people find it in the cluster's own lists. */
  readonly queryId: string
}

/** One statement on a cluster, from its first answer to the last. */
export class RemoteQuery {
  readonly #client: ClusterClient
  readonly #text: QueryText
  #last: StatementAnswer
  /** The link that the last answer came from; null: the statement has not begun. */
  #asked: string | null = null
  #isCancelled = false

  private constructor(client: ClusterClient, text: QueryText, first: StatementAnswer) {
    this.#client = client
    this.#text = text
    this.#last = first
  }

  /** The cluster knows it then, and has not begun it: that happens with the first `next()`. */
  static async announce(client: ClusterClient, text: QueryText): Promise<RemoteQuery> {
    const { sql, user, session, queryId } = text
    const headers = { ...session.toSend(), 'x-trino-trace-token': queryId, 'content-type': 'text/plain' }
    const answer = await client.send({ method: 'POST', link: '/v1/statement', user, headers, body: sql })
    return new RemoteQuery(client, text, readAnswer(answer.text))
  }

  get id(): string {
    return this.#last.id
  }

  get stats(): AnsweredStats {
    return this.#last.stats
  }

  /** Whether it may have done something. */
  get hasBegun(): boolean {
    return this.#asked !== null
  }

  get last(): StatementAnswer {
    return this.#last
  }

  /** The next answer; null behind the last. */
  async next(): Promise<StatementAnswer | null> {
    const link = this.#last.nextUri
    if (link === null) return null
    this.#asked = link
    const { text, headers } = await this.#ask(link)
    this.#last = readAnswer(text)
    this.#text.session.apply(headers)
    return this.#last
  }

  /** Asks for the same page again while somebody is busy with it, so that the cluster does not give the statement up. */
  async keptAlive<T>(work: Promise<T>): Promise<T> {
    const timer = setInterval(() => {
      // The next real request says what is the matter.
      if (this.#asked !== null) void this.#ask(this.#asked).catch(() => undefined)
    }, ASKED_AGAIN_MS)
    try {
      return await work
    } finally {
      clearInterval(timer)
    }
  }

  /** Idempotent. How it ended, its answers say. */
  async cancel(): Promise<void> {
    const link = this.#last.nextUri
    if (link === null || this.#isCancelled) return
    this.#isCancelled = true
    try {
      await this.#client.send({ method: 'DELETE', link, user: this.#text.user })
    } catch (error) {
      // It has ended already, or with the cluster.
      if (!(error instanceof ContactLost)) throw error
    }
  }

  /** All that the cluster knows of it, as JSON. */
  async info(): Promise<string> {
    const link = `/v1/query/${encodeURIComponent(this.id)}`
    return (await this.#client.send({ method: 'GET', link, user: this.#text.user })).text
  }

  #ask(link: string) {
    return this.#client.send({ method: 'GET', link, user: this.#text.user })
  }
}
