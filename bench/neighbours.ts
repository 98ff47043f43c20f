import { setTimeout as sleep } from 'node:timers/promises'
import type { ChannelClient } from './channel-client.ts'
import { atMost, type Measured } from './figures.ts'
import { percentile } from './statistics.ts'
import { timed } from './stopwatch.ts'
import { addUsers } from './testing/more-users.ts'
import { during, GUESSES, TEXTS } from './trouble.ts'
import type { Workshop } from './workshop.ts'

const STATEMENTS = 200
const PAUSE_MS = 20

async function selectOnes(channel: ChannelClient): Promise<number[]> {
  const times: number[] = []
  for (let run = 0; run < STATEMENTS; run++) {
    times.push(await timed(() => channel.run('select 1')))
    await sleep(PAUSE_MS)
  }
  return times
}

/** What somebody who asks `select 1` feels of a neighbour who sends large texts, or guesses passwords. */
export async function benchNeighbours(workshop: Workshop): Promise<Measured> {
  const { dataDirectory, running, product } = workshop
  const [user] = await addUsers(dataDirectory, running.signIn, 1)
  if (!user) throw new Error('There is no neighbour.')
  const quiet = await selectOnes(product)
  const texts = await during({ trouble: 'large texts', user }, () => selectOnes(product))
  const guesses = await during({ trouble: 'wrong passwords', user }, () => selectOnes(product))
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
