import { openSession, signIn } from '@boathouse/client'
import type { Row } from '@boathouse/contract'
import { WebSocket } from 'ws'
import type { Product } from './product.ts'

/** Only what hangs is given up. */
const ANSWER_WITHIN_MS = 120_000

export const logIn = (product: Product, password = product.password) =>
  signIn({ url: product.url, accountId: product.accountId, username: product.user, password })

/** Runs SQL without a browser and answers the rows of its last statement. */
export async function ask(product: Product, sql: string): Promise<Row[]> {
  const session = await openSession(await logIn(product), { WebSocket })
  const late = setTimeout(() => session.close(), ANSWER_WITHIN_MS)
  try {
    return (await session.run(sql)).result
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)} in: ${sql}`, { cause: error })
  } finally {
    clearTimeout(late)
    session.close()
  }
}
