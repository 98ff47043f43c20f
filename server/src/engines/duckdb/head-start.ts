import type { ReadyStatement } from './statement.ts'
import type { SessionTransaction } from './transaction.ts'

// It holds a transaction open, and is forgotten when nobody asks for it.
const LASTS_MS = 1000

interface Made {
  readonly sql: string
  readonly queryId: string
  /** Before it was bound. */
  readonly commits: number
  readonly ready: ReadyStatement
}

/** A statement that was bound before it is asked for, in the open transaction in which it will run. */
export class HeadStart {
  private made: Made | null = null
  private end: NodeJS.Timeout | undefined

  constructor(
    private readonly transaction: Pick<SessionTransaction, 'isOpen' | 'commits' | 'leave'>,
    /** What is done on the connection is done one after the other. */
    private readonly inTurn: (task: () => Promise<void>) => Promise<void>,
  ) {}

  async make(sql: string, queryId: string, bind: () => Promise<ReadyStatement>): Promise<void> {
    await this.drop()
    if (this.transaction.isOpen) return
    const commits = this.transaction.commits.count
    try {
      this.made = { sql, queryId, commits, ready: await bind() }
      this.end = setTimeout(() => void this.inTurn(() => this.drop()), LASTS_MS).unref()
    } catch {
      // Its execution finds it out again, and tells.
      await this.transaction.leave()
    }
  }

  /** Null when there is none for this statement, or it would not see what has been committed since. */
  async take(sql: string, queryId: string): Promise<ReadyStatement | null> {
    const { made } = this
    const isMeant = made?.sql === sql && made.queryId === queryId
    if (isMeant && made.commits === this.transaction.commits.count) {
      clearTimeout(this.end)
      this.made = null
      return made.ready
    }
    await this.drop()
    return null
  }

  async drop(): Promise<void> {
    if (!this.made) return
    clearTimeout(this.end)
    this.made.ready.prepared.destroySync()
    this.made = null
    await this.transaction.leave()
  }
}
