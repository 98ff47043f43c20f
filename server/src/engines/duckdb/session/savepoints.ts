import { readSavepoint, readStatement, type SavepointStatement } from '@boathouse/sql'
import { StatementRefused } from '../errors.ts'

/** What is done to the transaction itself. */
export interface TransactionHands {
  /** Whether it can still do anything. */
  isAlive(): Promise<boolean>
  /** Rolls it back. */
  undo(): Promise<void>
  /** Begins another one by this text. */
  begin(sql: string): Promise<void>
}

const MAY_SAVE = /^\s*(?:savepoint|release|rollback|abort)\b/i

/** What a text does with a savepoint; null for all others. */
export const savepointIn = (sql: string): SavepointStatement | null =>
  MAY_SAVE.test(sql) ? readSavepoint(readStatement(sql)) : null

interface Savepoint {
  readonly name: string
  /** How many statements before it may have changed something. */
  readonly changes: number
}

/** So that nobody fills the memory with them. */
const MOST = 1_000

/**
 * Savepoints of the transaction that is open. DuckDB has none, and undoes a transaction as a whole. So one can be returned to
 * when nothing was changed behind it, or nothing before it: then the transaction is begun again, on the rows as they are by
 * then. In between, returning would lose what is to be kept: the transaction is rolled back, and that is said.
 */
export class Savepoints {
  #points: readonly Savepoint[] = []
  #changes = 0
  #begunBy = 'BEGIN'

  constructor(private readonly hands: TransactionHands) {}

  /** A transaction was begun by this text. */
  begin(sql: string): void {
    this.#points = []
    this.#changes = 0
    this.#begunBy = sql
  }

  /** A statement did more than read. */
  changed(): void {
    this.#changes++
  }

  async run({ does, name }: SavepointStatement): Promise<void> {
    if (does === 'set') return this.#set(name)
    const at = this.#points.findLastIndex((point) => point.name === name)
    const point = this.#points[at]
    if (!point)
      throw new StatementRefused({
        kind: 'missing',
        message: `SAVEPOINT ${name} does not exist`,
        code: 'missing-savepoint',
      })
    // A release keeps what was done, and ends those behind it too.
    if (does === 'undo') await this.#returnTo(point)
    this.#points = this.#points.slice(0, does === 'release' ? at : at + 1)
  }

  #set(name: string): void {
    const others = this.#points.filter((point) => point.name !== name)
    if (others.length >= MOST)
      throw new StatementRefused({
        kind: 'resource',
        message: `A transaction has at most ${MOST} savepoints.`,
      })
    this.#points = [...others, { name, changes: this.#changes }]
  }

  async #returnTo({ name, changes }: Savepoint): Promise<void> {
    if (changes === this.#changes && (await this.hands.isAlive())) return
    await this.hands.undo()
    if (changes > 0)
      throw new StatementRefused({
        kind: 'data',
        message: `It is not possible to return to the savepoint ${name}: this transaction has changed something before it too, and is undone as a whole. It was rolled back. Send it again from its first statement.`,
        code: 'rolled-back',
      })
    await this.hands.begin(this.#begunBy)
    this.#changes = 0
  }
}
