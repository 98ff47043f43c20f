import { type Login, openSession, type OpenSession, StatementError } from '@boathouse/client'
import type { QueryRsp, Row, ServerMessage } from '@boathouse/contract'
import { WebSocket } from 'ws'
import type { SqlRunner } from './sql-runner.ts'

/** One session on a channel of its own. It does not survive a cut: that ends the measurement. */
export class ChannelClient implements SqlRunner {
  readonly #session: OpenSession

  constructor(session: OpenSession) {
    this.#session = session
    session.channel.on('status', (status) => {
      if (status === 'waiting') session.close()
    })
  }

  /** The last answer, whatever it says. */
  async ask(sql: string, requestId?: string): Promise<QueryRsp> {
    const answer = (await this.#session.ask(sql, requestId ? { requestId } : {})).at(-1)
    if (!answer) throw new Error(`There was no answer to: ${sql.slice(0, 200)}`)
    return answer
  }

  async run(sql: string): Promise<readonly Row[]> {
    try {
      return (await this.#session.run(sql)).result
    } catch (error) {
      if (!(error instanceof StatementError)) throw error
      throw new Error(`${error.message} (code ${error.answer.errCode}) in: ${sql.slice(0, 200)}`, {
        cause: error,
      })
    }
  }

  // As a promise, like the peer that it is measured against.
  close(): Promise<void> {
    // An account has so many connections, and one that nobody closes is kept for a while.
    this.#session.abandonConnection()
    this.#session.close()
    return Promise.resolve()
  }
}

// Not checked against the schema: the check would be measured as if it were the product's own time.
const read = (data: unknown) => ({ message: JSON.parse(data as string) as ServerMessage })

export const openChannel = async (login: Login): Promise<ChannelClient> =>
  new ChannelClient(await openSession(login, { WebSocket, read }))
