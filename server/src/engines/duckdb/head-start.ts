import type { ReadyStatement } from './statement.ts'
import type { SessionTransaction } from './transaction.ts'

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

  constructor(private readonly transaction: SessionTransaction) {}

  async make(sql: string, queryId: string, bind: () => Promise<ReadyStatement>): Promise<void> {
    await this.drop()
    if (this.transaction.isOpen) return
    const commits = this.transaction.commits.count
    try {
      this.made = { sql, queryId, commits, ready: await bind() }
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
      this.made = null
      return made.ready
    }
    await this.drop()
    return null
  }

  async drop(): Promise<void> {
    if (!this.made) return
    this.made.ready.prepared.destroySync()
    this.made = null
    await this.transaction.leave()
  }
}
