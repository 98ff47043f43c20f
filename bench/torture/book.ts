import { QUERY_STATES, type QueryRsp } from '@boathouse/contract'
import type { Random } from './random.ts'
import { outcomeName, verdictOf, type Verdict } from './verdict.ts'

export const TABLE = 'numbers'

const DEFINING = 0.03

/** One request of the load, whose outcome must become certain. */
export interface Task {
  readonly requestId: string
  readonly sql: string
  /** Numbers that each statement of the text inserts; those of a transaction belong to its COMMIT. */
  readonly numbers: readonly (readonly number[])[]
  /** For one that reads: what is wrong with its rows; null when they are right. */
  readonly fault: (rows: QueryRsp['result']) => string | null
  readonly isTransaction: boolean
}

interface Said {
  readonly requestId: string
  readonly verdict: Verdict
  readonly words: string
}

/** Of everything that was asked for and everything that was said about it. */
export class Book {
  readonly violations: string[] = []
  readonly outcomes = new Map<string, number>()
  /** What was said of each number, in its order. */
  readonly #said = new Map<number, Said[]>()
  readonly #acknowledged = new Set<number>()
  readonly #inTransaction = new Set<number>()
  readonly #tag: string
  readonly #defines: boolean
  #lastNumber = 0
  #lastRequest = 0
  askedAgain = 0

  /** With `defines`, some of the load creates, changes and drops databases, sequences, tables and indexes. */
  constructor(tag: string, { defines = false } = {}) {
    this.#tag = tag
    this.#defines = defines
  }

  get requests(): number {
    return this.#lastRequest
  }

  get inserts(): number {
    return this.#lastNumber
  }

  get acknowledged(): number {
    return this.#acknowledged.size
  }

  isInTransaction(number: number): boolean {
    return this.#inTransaction.has(number)
  }

  accuse(violation: string): void {
    this.violations.push(violation)
  }

  next(random: Random): Task {
    if (this.#defines && random.chance(DEFINING)) return this.#defining()
    const share = random.next()
    if (share < 0.5) return this.#writing([`INSERT INTO ${TABLE} VALUES (${this.#number()})`])
    if (share < 0.58) {
      const inserts = [0, 1].map(() => `INSERT INTO ${TABLE} VALUES (${this.#number()})`)
      return this.#writing(inserts)
    }
    if (share < 0.66) return this.#transaction()
    return share < 0.83 ? this.#readingItself(random) : this.#readingTable()
  }

  /** For a program, which cannot ask again: what it inserts, under a number that nobody else has. */
  nextOfProgram(): { readonly number: number; readonly sql: string } {
    const number = this.#number()
    return { number, sql: `INSERT INTO ${TABLE} VALUES (${number})` }
  }

  /** What a program was answered; nothing where its connection ended before. */
  hearProgram(number: number, verdict: Verdict, words: string): void {
    this.#count(`program: ${verdict}`)
    this.#note([number], { requestId: `program-${number}`, verdict, words })
  }

  /** True when all of it is certain. */
  hear(task: Task, answers: readonly QueryRsp[]): boolean {
    for (const answer of answers) this.#count(outcomeName(answer))
    if (task.numbers.length === 0) return this.#hearReading(task, answers)
    return task.numbers.every((numbers, index) => {
      const answer = answers.find(({ statementIndex }) => statementIndex === index) ?? answers[0]
      if (!answer) return false
      const verdict = verdictOf(answer)
      // Of a statement that inserts nothing it is enough to know that it was taken on.
      if (numbers.length === 0) return verdict !== 'refused' && answer.queryId !== ''
      this.#note(numbers, { requestId: task.requestId, verdict, words: answer.errMsg })
      if (verdict === 'reads')
        this.accuse(
          `${task.requestId} inserts ${numbers.join(', ')} and is said only to read: ${answer.errMsg}`,
        )
      return verdict !== 'open' && verdict !== 'refused'
    })
  }

  neverAnswered(task: Task): void {
    this.accuse(`${task.requestId} got no certain answer in time: ${task.sql}`)
  }

  /** Everything that was ever said against what is in the table: how often each number is there. */
  compare(rows: ReadonlyMap<number, number>): void {
    for (const [number, said] of this.#said) {
      const times = rows.get(number) ?? 0
      if (times > 1) this.accuse(`${number} is there ${times} times (${describe(said)})`)
      for (const { verdict, requestId, words } of said) {
        if (verdict === 'taken' && times === 0)
          this.accuse(`${number} is lost: ${requestId} was answered as taken. ${words}`)
        if (verdict === 'not taken' && times > 0)
          this.accuse(`${number} is there, and ${requestId} was answered as not taken. ${words}`)
      }
    }
    for (const number of rows.keys())
      if (!this.#said.has(number) && number > this.#lastNumber) this.accuse(`${number} was never inserted`)
  }

  #hearReading(task: Task, answers: readonly QueryRsp[]): boolean {
    const [answer] = answers
    if (!answer) return false
    const verdict = verdictOf(answer)
    // An answer that was given before, perhaps by another server, comes without its rows and says so.
    const hasRows = answer.queryState === QUERY_STATES.Finished && answer.notice === '' && !isKeptOnly(answer)
    const fault = hasRows ? task.fault(answer.result) : null
    if (fault) this.accuse(`${task.requestId} answers wrongly: ${fault}`)
    return verdict !== 'open' && verdict !== 'refused'
  }

  #note(numbers: readonly number[], said: Said): void {
    for (const number of numbers) {
      const before = this.#said.get(number) ?? []
      this.#said.set(number, [...before, said])
      if (said.verdict === 'taken') this.#acknowledged.add(number)
    }
  }

  #count(outcome: string): void {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1)
  }

  #number(): number {
    return ++this.#lastNumber
  }

  #requestId(): string {
    return `torture-${this.#tag}-${++this.#lastRequest}`
  }

  #writing(inserts: readonly string[]): Task {
    const last = this.#lastNumber
    return {
      requestId: this.#requestId(),
      sql: inserts.join(';\n'),
      numbers: inserts.map((_, index) => [last - inserts.length + 1 + index]),
      fault: () => null,
      isTransaction: false,
    }
  }

  /** Nothing of it is counted; but the next process that opens the data after a crash meets all of it. */
  #defining(): Task {
    const requestId = this.#requestId()
    const database = `side_${this.#lastRequest}`
    const statements = [
      `CREATE DATABASE ${database}`,
      `CREATE SEQUENCE ${database}.ids`,
      `CREATE TABLE ${database}.t (id BIGINT DEFAULT nextval('${database}.ids'), a INTEGER)`,
      `INSERT INTO ${database}.t (a) VALUES (1)`,
      `ALTER TABLE ${database}.t ADD COLUMN b INTEGER`,
      `ALTER TABLE ${database}.t RENAME TO u`,
      `CREATE INDEX i ON ${database}.u (b)`,
      `DROP DATABASE ${database} CASCADE`,
    ]
    const numbers = statements.map(() => [])
    return { requestId, sql: statements.join(';\n'), numbers, fault: () => null, isTransaction: false }
  }

  #transaction(): Task {
    const both = [this.#number(), this.#number()]
    for (const number of both) this.#inTransaction.add(number)
    const inserts = both.map((number) => `INSERT INTO ${TABLE} VALUES (${number})`)
    return {
      requestId: this.#requestId(),
      sql: ['BEGIN', ...inserts, 'COMMIT'].join(';\n'),
      numbers: [[], [], [], both],
      fault: () => null,
      isTransaction: true,
    }
  }

  #readingItself(random: Random): Task {
    const value = random.below(1_000_000)
    const fault = (rows: QueryRsp['result']) =>
      rows[0]?.[0] === String(value) ? null : `${JSON.stringify(rows)} instead of ${value}`
    return this.#reading(`SELECT ${value}`, fault)
  }

  /** Whatever is acknowledged before it is asked must be counted by it, crashes or not. */
  #readingTable(): Task {
    const least = this.#acknowledged.size
    const fault = (rows: QueryRsp['result']) =>
      Number(rows[0]?.[0]) >= least ? null : `${rows[0]?.[0]} rows where ${least} were acknowledged before`
    return this.#reading(`SELECT count(*) FROM ${TABLE}`, fault)
  }

  #reading(sql: string, fault: Task['fault']): Task {
    return { requestId: this.#requestId(), sql, numbers: [], fault, isTransaction: false }
  }
}

const describe = (said: readonly Said[]): string =>
  said.map(({ requestId, verdict }) => `${requestId}: ${verdict}`).join('; ')

/** The rows are kept under its query id, and not part of an answer from the history. */
const isKeptOnly = (answer: QueryRsp): boolean => answer.resultKept && answer.fields.length === 0
