import { once } from 'node:events'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { type SignIn, signIn } from '@boathouse/client'
import { openChannel } from './channel-client.ts'

/** What one user does to others, again and again until it is stopped. */
type Trouble = 'large texts' | 'wrong passwords'

interface Order {
  readonly trouble: Trouble
  readonly user: SignIn
}

const MEGABYTE = 1024 * 1024
/** As many at once as one user may have waiting. */
export const TEXTS = 12
export const GUESSES = 200

/** In a thread of its own: what it costs to send must not be measured as the product's time. */
export async function during<T>(order: Order, measure: () => Promise<T>): Promise<T> {
  const worker = new Worker(new URL('trouble.js', import.meta.url), { workerData: order })
  await once(worker, 'message')
  const measured = await measure()
  worker.postMessage('stop', [])
  await once(worker, 'exit')
  return measured
}

async function largeTexts(user: SignIn): Promise<() => Promise<unknown>> {
  const login = await signIn(user)
  const channels = await Promise.all(Array.from({ length: TEXTS }, () => openChannel(login)))
  const text = `select ${'1+'.repeat(MEGABYTE / 2 - 100)}1 from nowhere`
  return () => Promise.all(channels.map((channel) => channel.ask(text)))
}

const wrongPasswords = (user: SignIn) => () =>
  Promise.allSettled(Array.from({ length: GUESSES }, () => signIn({ ...user, password: 'Wrong_1234' })))

async function makeTrouble({ trouble, user }: Order): Promise<void> {
  const round = trouble === 'large texts' ? await largeTexts(user) : wrongPasswords(user)
  const over = new AbortController()
  parentPort?.once('message', () => over.abort())
  parentPort?.postMessage('begun', [])
  while (!over.signal.aborted) await round()
  // Channels that are open would keep the thread.
  process.exit()
}

if (!isMainThread) await makeTrouble(workerData as Order)
