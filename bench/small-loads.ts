import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import type { SignIn } from '@boathouse/client'
import { createSender } from './stream-sender.ts'

interface Order {
  readonly signIn: SignIn
  readonly table: string
  /** Each second. */
  readonly rate: number
  readonly seconds: number
  /** Each has a label of its own, which begins with this; null: none has one. */
  readonly label: string | null
}

interface Sent {
  readonly times: readonly number[]
  /** In so many they were loaded. */
  readonly transactions: number
  readonly seconds: number
}

/** In a thread of its own: what it costs to send must not be measured as the time of others. */
export async function sendSmallLoads(order: Order): Promise<Sent> {
  const worker = new Worker(new URL('small-loads.js', import.meta.url), { workerData: order })
  const [sent] = (await once(worker, 'message')) as [Sent]
  await once(worker, 'exit')
  return sent
}

/** Loads of one row at a steady rate, whatever becomes of those before. */
async function send({ signIn, table, rate, seconds, label }: Order): Promise<Sent> {
  const sender = createSender(signIn)
  const times: number[] = []
  const transactions = new Set<number>()
  const begun = performance.now()
  const sendOne = async (at: number): Promise<void> => {
    const headers = { column_separator: ',', ...(label !== null && { label: `${label}-${at}` }) }
    const start = performance.now()
    const { TxnId } = await sender.put(table, headers, `${at},row\n`)
    times.push(performance.now() - start)
    transactions.add(TxnId)
  }
  const sent: Promise<void>[] = []
  for (let at = 1; at <= rate * seconds; at++) {
    const due = begun + (at * 1_000) / rate
    if (due > performance.now()) await sleep(due - performance.now())
    sent.push(sendOne(at))
  }
  await Promise.all(sent)
  sender.close()
  return { times, transactions: transactions.size, seconds: (performance.now() - begun) / 1_000 }
}

if (!isMainThread) parentPort?.postMessage(await send(workerData as Order), [])
