import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import type { SignIn } from '@boathouse/client'
import { createPlainConnections } from './plain-connections.ts'
import { authorizationOf, readAnswer } from './stream-sender.ts'

interface Order {
  readonly signIn: SignIn
  readonly table: string
  readonly count: number
  /** So many of them each second; null: all at once. */
  readonly rate: number | null
  /** Of each load. */
  readonly rows: number
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
export async function sendLoads(order: Order): Promise<Sent> {
  const worker = new Worker(new URL('sent-loads.js', import.meta.url), { workerData: order })
  // Both at once: the thread may be over before its message is taken.
  const [[sent]] = (await Promise.all([once(worker, 'message'), once(worker, 'exit')])) as [[Sent], unknown]
  return sent
}

/** At a steady rate, whatever becomes of those before. */
async function send({ signIn, table, count, rate, rows, label }: Order): Promise<Sent> {
  const connections = createPlainConnections(signIn.url)
  const head = [
    `PUT /api/main/${table}/_stream_load HTTP/1.1`,
    `host: ${new URL(signIn.url).host}`,
    `authorization: ${authorizationOf(signIn)}`,
    'column_separator: ,',
  ].join('\r\n')
  const times: number[] = []
  const transactions = new Set<number>()
  const begun = performance.now()
  const sendOne = async (at: number): Promise<void> => {
    const named = label === null ? '' : `label: ${label}-${at}\r\n`
    const body = rows === 1 ? `${at},row\n` : `${at},${'x'.repeat(90)}\n`.repeat(rows)
    const start = performance.now()
    const text = await connections.ask(`${head}\r\n${named}content-length: ${body.length}\r\n\r\n${body}`)
    times.push(performance.now() - start)
    transactions.add(readAnswer(text).TxnId)
  }
  const sent: Promise<void>[] = []
  for (let at = 1; at <= count; at++) {
    const due = rate === null ? 0 : begun + (at * 1_000) / rate
    if (due > performance.now()) await sleep(due - performance.now())
    sent.push(sendOne(at))
  }
  await Promise.all(sent)
  connections.close()
  return { times, transactions: transactions.size, seconds: (performance.now() - begun) / 1_000 }
}

if (!isMainThread) parentPort?.postMessage(await send(workerData as Order), [])
