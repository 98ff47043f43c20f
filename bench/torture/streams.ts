import { setTimeout as sleep } from 'node:timers/promises'
import { type Book, TABLE } from './book.ts'
import type { TorturedProduct } from './product.ts'
import type { Random } from './random.ts'
import { verdictOfError } from './verdict.ts'

const SENDERS = 3
const ANSWERED_WITHIN_MS = 60_000
const TRY_AGAIN_MS = 100
/** Longer than anything needs to come back, and short enough to end a run that is stuck. */
const CERTAIN_WITHIN_MS = 240_000
const LONGEST_THOUGHT_MS = 60
/** Between two steps, so that what is prepared is met by a kill now and then. */
const LONGEST_PAUSE_MS = 600

export interface Streams {
  stop(): Promise<void>
}

interface Said {
  readonly Status: string
  readonly Message: string
  readonly ExistingJobStatus?: string
}

/** Sends requests as a program does; null when no answer came. */
function createSender({ signIn }: TorturedProduct) {
  const { accountId, username, password, url } = signIn
  const authorization = `Basic ${Buffer.from(`${accountId}.${username}:${password}`).toString('base64')}`
  const ask = async (path: string, label: string, body: string | null = null) => {
    try {
      const answer = await fetch(new URL(path, url), {
        method: body === null ? 'POST' : 'PUT',
        headers: { authorization, db: 'main', table: TABLE, label },
        body,
        signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
      })
      const said = (await answer.json()) as Partial<Said>
      return said.Status === undefined ? null : (said as Said)
    } catch {
      return null
    }
  }
  return {
    load: (label: string, body: string) => ask(`/api/main/${TABLE}/_stream_load`, label, body),
    part: (label: string, body: string) => ask('/api/transaction/load', label, body),
    step: (name: 'begin' | 'prepare' | 'commit' | 'rollback', label: string) =>
      ask(`/api/transaction/${name}`, label),
  }
}

interface Worker {
  readonly send: ReturnType<typeof createSender>
  readonly book: Book
  readonly random: Random
}

/** Asks until the answer is certain; null when that took too long. */
async function untilCertain(
  ask: () => Promise<Said | null>,
  isCertain: (said: Said) => boolean,
): Promise<Said | null> {
  const deadline = Date.now() + CERTAIN_WITHIN_MS
  while (Date.now() < deadline) {
    const said = await ask()
    if (said && isCertain(said)) return said
    await sleep(TRY_AGAIN_MS)
  }
  return null
}

const isLoaded = ({ Status, ExistingJobStatus }: Said): boolean =>
  Status === 'Success' || ExistingJobStatus === 'FINISHED'

/** One body under a label, sent until it is known to be loaded; sometimes the first refusal is believed. */
async function loadOnce({ send, book, random }: Worker, label: string, number: number): Promise<void> {
  const body = `${number}\n`
  const first = await send.load(label, body)
  const isRefused = first !== null && first.Status === 'Fail'
  if (isRefused && verdictOfError(first.Message) === 'not taken' && random.chance(0.5))
    return book.hearProgram(number, 'not taken', first.Message)
  const said = first && isLoaded(first) ? first : await untilCertain(() => send.load(label, body), isLoaded)
  if (said) book.hearProgram(number, 'taken', `${label}: ${said.Status}`)
  else book.accuse(`the load ${label} was not taken in time`)
}

const isOver = ({ Status, Message }: Said): boolean =>
  Status === 'OK' || Message === 'TXN_NOT_EXISTS' || Message.includes('Transaction State Invalid: It was')

/** Rolled back, whatever became of its earlier steps. */
async function rollBack({ send, book }: Worker, label: string, numbers: readonly number[]): Promise<void> {
  const said = await untilCertain(() => send.step('rollback', label), isOver)
  if (!said) return book.accuse(`the transaction ${label} was not rolled back in time`)
  if (said.Message.includes('It was committed')) return book.accuse(`${label} is committed, and nobody asked`)
  for (const number of numbers) book.hearProgram(number, 'not taken', `${label} was rolled back`)
}

async function commit({ send, book }: Worker, label: string, numbers: readonly number[]): Promise<void> {
  const said = await untilCertain(() => send.step('commit', label), isOver)
  if (!said) return book.accuse(`the transaction ${label} was not committed in time`)
  if (said.Status !== 'OK') return book.accuse(`${label} was prepared and is lost: ${said.Message}`)
  const again = await untilCertain(() => send.step('commit', label), isOver)
  if (again?.Status !== 'OK') book.accuse(`the commit of ${label} is denied: ${again?.Message}`)
  for (const number of numbers) book.hearProgram(number, 'taken', `${label} was committed`)
}

/** Several parts, prepared and committed: once it is prepared, no kill may lose it. */
async function transact(worker: Worker, label: string, numbers: readonly number[]): Promise<void> {
  const { send, random } = worker
  if ((await send.step('begin', label))?.Status !== 'OK') return rollBack(worker, label, numbers)
  const parts = await Promise.all(numbers.map((number) => send.part(label, `${number}\n`)))
  if (parts.some((said) => said?.Status !== 'OK')) return rollBack(worker, label, numbers)
  await sleep(random.below(LONGEST_PAUSE_MS))
  const prepared = await untilCertain(
    () => send.step('prepare', label),
    (said) => isOver(said) || said.Status === 'FAILED',
  )
  if (prepared?.Status !== 'OK') return rollBack(worker, label, numbers)
  await sleep(random.below(LONGEST_PAUSE_MS))
  return random.chance(0.2) ? rollBack(worker, label, numbers) : commit(worker, label, numbers)
}

/** Programs that send data over HTTP, in single loads and in transactions, and ask until they know what became of it. */
export function startStreams(options: { product: TorturedProduct; book: Book; random: Random }): Streams {
  const { product, book, random } = options
  const over = new AbortController()
  const send = createSender(product)
  const working = Array.from({ length: SENDERS }, async (_, sender) => {
    const worker: Worker = { send, book, random: random.fork() }
    for (let at = 0; !over.signal.aborted; at++) {
      const label = `torture-${sender}-${at}`
      const numbers = Array.from({ length: 3 }, () => book.nextOfProgram().number)
      if (worker.random.chance(0.5)) await transact(worker, label, numbers)
      else await loadOnce(worker, label, numbers[0] ?? 0)
      await sleep(worker.random.below(LONGEST_THOUGHT_MS))
    }
  })
  return {
    async stop() {
      over.abort()
      await Promise.all(working)
    },
  }
}
