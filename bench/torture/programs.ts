import { setTimeout as sleep } from 'node:timers/promises'
import { type Connection, createConnection } from 'mysql2/promise'
import type { Book } from './book.ts'
import type { TorturedProduct } from './product.ts'
import type { Random } from './random.ts'
import { verdictOfError } from './verdict.ts'

const PROGRAMS = 3
const TRY_AGAIN_MS = 20
const CONNECT_WITHIN_MS = 30_000
const LONGEST_THOUGHT_MS = 40

export interface Programs {
  stop(): Promise<void>
}

/** A connection to the MySQL endpoint, tried until there is one; null when it is over before. */
export async function connected(
  { signIn, mysqlPort }: TorturedProduct,
  isOver: () => boolean,
): Promise<Connection | null> {
  const { accountId, username, password } = signIn
  while (!isOver()) {
    try {
      return await createConnection({
        host: '127.0.0.1',
        port: mysqlPort,
        user: `${accountId}.${username}`,
        password,
        connectTimeout: CONNECT_WITHIN_MS,
        // It has made its certificate itself.
        ssl: { rejectUnauthorized: false },
      })
    } catch {
      // Whatever it is: all parts are killed all the time, and `isOver` says when that was too long.
      await sleep(TRY_AGAIN_MS)
    }
  }
  return null
}

/** An answer of the server has a state of SQL; an end of the connection has none. */
const isAnswer = (error: unknown): error is Error & { sqlState: string; fatal?: boolean } =>
  error instanceof Error && 'sqlState' in error && typeof error.sqlState === 'string' && error.sqlState !== ''

/** Inserts until the connection ends. */
async function insertOn(
  connection: Connection,
  { book, random }: { book: Book; random: Random },
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const { number, sql } = book.nextOfProgram()
    try {
      await connection.query(sql)
      book.hearProgram(number, 'taken', 'OK')
    } catch (error) {
      if (!isAnswer(error)) return
      book.hearProgram(number, verdictOfError(error.message), error.message)
    }
    await sleep(random.below(LONGEST_THOUGHT_MS))
  }
}

/** Programs that insert over the MySQL protocol, and connect again whenever their connection ends. */
export function startPrograms(options: { product: TorturedProduct; book: Book; random: Random }): Programs {
  const { product, book, random } = options
  const over = new AbortController()
  const isOver = () => over.signal.aborted
  const working = Array.from({ length: PROGRAMS }, async () => {
    const own = { book, random: random.fork() }
    while (!isOver()) {
      const connection = await connected(product, isOver)
      if (!connection) return
      // What ends the connection is the error of the statement that runs.
      connection.on('error', () => undefined)
      await insertOn(connection, own, isOver)
      connection.destroy()
    }
  })
  return {
    async stop() {
      over.abort()
      await Promise.all(working)
    },
  }
}
