import { errorCode } from '../../store/error-code.ts'
import type { Acceptance, NewStatement } from './statement-row.ts'
import type { StatementWrites } from './statement-writes-store.ts'

/** In one write. */
const MOST_TOGETHER = 100
/** What the database says of a row that it refuses; then none of those written with it is there. */
const REFUSED = /^2[23]/

interface Waiting {
  readonly row: NewStatement
  resolve(accepted: Acceptance): void
  reject(error: unknown): void
}

/**
 * Requests of one statement, as they are accepted. To open a dozen indexes and to wait for the disk takes the database
 * longer than a row does: those that come while a write is under way are written by the next one. One that comes alone
 * is written at once.
 */
export class GatheredAcceptances {
  readonly #writes: Pick<StatementWrites, 'acceptOne' | 'acceptSeveral'>
  #waiting: Waiting[] = []
  #isWriting = false

  constructor(writes: Pick<StatementWrites, 'acceptOne' | 'acceptSeveral'>) {
    this.#writes = writes
  }

  /** Rejects with what the database says of this row, or with why it could not be asked. */
  accept(row: NewStatement): Promise<Acceptance> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ row, resolve, reject })
      if (!this.#isWriting) void this.#writeAll()
    })
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true
    while (this.#waiting.length > 0) await this.#write(this.#waiting.splice(0, MOST_TOGETHER))
    this.#isWriting = false
  }

  /** Never rejects. */
  async #write(together: readonly Waiting[]): Promise<void> {
    try {
      const versions = await this.#versions(together.map(({ row }) => row))
      for (const { row, resolve } of together) resolve({ identityVersion: versions.get(row.query_id) })
    } catch (error) {
      if (together.length > 1 && REFUSED.test(errorCode(error) ?? ''))
        await Promise.all(together.map((one) => this.#write([one])))
      // They may be written or not.
      else for (const { reject } of together) reject(error)
    }
  }

  async #versions(rows: readonly NewStatement[]): Promise<ReadonlyMap<string, number | undefined>> {
    const [first] = rows
    if (!first || rows.length > 1) return this.#writes.acceptSeveral(rows)
    const [inserted] = await this.#writes.acceptOne(first)
    return new Map([[first.query_id, inserted?.identity_version ?? undefined]])
  }
}
