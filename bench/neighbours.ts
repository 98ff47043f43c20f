import { setTimeout as sleep } from 'node:timers/promises'
import { signIn } from '@boathouse/client'
import { type ChannelClient, openChannel } from './channel-client.ts'
import { atMost, type Measured } from './figures.ts'
import { percentile } from './statistics.ts'
import { timed } from './stopwatch.ts'
import { addUsers } from './testing/more-users.ts'
import type { Workshop } from './workshop.ts'

const STATEMENTS = 200
const PAUSE_MS = 20
const MEGABYTE = 1024 * 1024
/** As many at once as one user may have waiting. */
const TEXTS = 12
const GUESSES = 200

async function selectOnes(channel: ChannelClient): Promise<number[]> {
  const times: number[] = []
  for (let run = 0; run < STATEMENTS; run++) {
    times.push(await timed(() => channel.run('select 1')))
    await sleep(PAUSE_MS)
  }
  return times
}

/** Measures while the trouble is made again and again. */
async function during(channel: ChannelClient, trouble: () => Promise<unknown>): Promise<number[]> {
  const over = new AbortController()
  const making = (async () => {
    while (!over.signal.aborted) await trouble()
  })()
  const times = await selectOnes(channel)
  over.abort()
  await making
  return times
}

/** What somebody who asks `select 1` feels of a neighbour who sends large texts, or guesses passwords. */
export async function benchNeighbours(workshop: Workshop): Promise<Measured> {
  const { dataDirectory, running, product } = workshop
  const [neighbour] = await addUsers(dataDirectory, running.signIn, 1)
  if (!neighbour) throw new Error('There is no neighbour.')
  const login = await signIn(neighbour)
  const channels = await Promise.all(Array.from({ length: TEXTS }, () => openChannel(login)))
  const text = `select ${'1+'.repeat(MEGABYTE / 2 - 100)}1 from nowhere`
  const quiet = await selectOnes(product)
  const texts = await during(product, () => Promise.all(channels.map((channel) => channel.ask(text))))
  const guesses = await during(product, () =>
    Promise.allSettled(
      Array.from({ length: GUESSES }, () => signIn({ ...neighbour, password: 'Wrong_1234' })),
    ),
  )
  await Promise.all(channels.map((channel) => channel.close()))
  const figure = (label: string, times: number[], share: number) => ({
    label: `${label}, p${share * 100}`,
    product: percentile(times, share),
    peer: percentile(quiet, share),
  })
  return {
    title: `select 1 beside a neighbour, ${STATEMENTS} runs each`,
    peer: 'alone',
    figures: [0.5, 0.99].flatMap((share) => [
      figure(`${TEXTS} texts of 1 MB at once`, texts, share),
      figure(`${GUESSES} guesses at once`, guesses, share),
    ]),
    goals: [
      atMost('p99 beside large texts, ms', percentile(texts, 0.99), 100),
      atMost('p99 beside guesses, ms', percentile(guesses, 0.99), 100),
    ],
    notes: [],
  }
}
