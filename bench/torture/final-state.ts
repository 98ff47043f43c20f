import { callAs, type Login } from '@boathouse/client'
import { query, type HistoryEntry } from '@boathouse/contract'
import { openChannel } from '../channel-client.ts'
import { TABLE, type Book } from './book.ts'

/** Below what one answer shows. */
const NUMBERS_AT_ONCE = 900
const HISTORY_PAGE = 200

/** How often each number is in the table. */
export async function readNumbers(login: Login, highest: number): Promise<Map<number, number>> {
  const channel = await openChannel(login)
  const counts = new Map<number, number>()
  for (let from = 1; from <= highest; from += NUMBERS_AT_ONCE) {
    const rows = await channel.run(
      `SELECT n, count(*) FROM ${TABLE} WHERE n >= ${from} AND n < ${from + NUMBERS_AT_ONCE} GROUP BY n`,
    )
    for (const [number, count] of rows) counts.set(Number(number), Number(count))
  }
  await channel.close()
  return counts
}

async function* history(login: Login): AsyncGenerator<HistoryEntry> {
  let after: string | undefined
  do {
    const page = await callAs(login, query.history, { limit: HISTORY_PAGE, ...(after && { after }) })
    yield* page.entries
    after = page.next ?? undefined
  } while (after !== undefined)
}

const INSERTED = new RegExp(`^INSERT INTO ${TABLE} VALUES \\((\\d+)\\)$`)

/** The history is the record people go by: it must have an end for everything, and the true one. */
export async function checkHistory(
  login: Login,
  { book, rows }: { book: Book; rows: ReadonlyMap<number, number> },
): Promise<number> {
  let entries = 0
  for await (const entry of history(login)) {
    entries++
    const { state, effect, requestId } = entry
    if (state === 'accepted' || state === 'running')
      book.accuse(`the history has no end of ${requestId}, which is ${state}: ${entry.sql}`)
    if (effect === 'unknown')
      book.accuse(`the history does not know the effect of ${requestId}: ${entry.sql}`)
    const number = Number(INSERTED.exec(entry.sql)?.[1])
    // The COMMIT of a transaction decides on its inserts.
    if (!number || book.isInTransaction(number)) continue
    const isThere = (rows.get(number) ?? 0) > 0
    const isSaid = state === 'finished' || effect === 'taken'
    if (isThere !== isSaid)
      book.accuse(
        `the history has ${requestId} as ${state}, ${effect}, and ${number} is${isThere ? '' : ' not'} there`,
      )
  }
  return entries
}
