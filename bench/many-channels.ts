import { setTimeout as sleep } from 'node:timers/promises'
import { signIn } from '@boathouse/client'
import { LIMITS } from '@boathouse/contract'
import { openChannel, type ChannelClient } from './channel-client.ts'
import { atMost, type Measured } from './figures.ts'
import { percentile } from './statistics.ts'
import { timed } from './stopwatch.ts'
import { addUsers } from './testing/more-users.ts'
import type { Workshop } from './workshop.ts'

const CHANNELS = 500
const STATEMENTS = 2_000
/** What 500 people do who ask something every five seconds. */
const PER_SECOND = 100
/** Each channel that asks has a connection, of which an account has as many as there are channels here. */
const ASKING = 450

async function openAll(workshop: Workshop): Promise<ChannelClient[]> {
  const { dataDirectory, running } = workshop
  const users = await addUsers(dataDirectory, running.signIn, Math.ceil(CHANNELS / LIMITS.channelsPerUser))
  const channels: ChannelClient[] = []
  for (const user of users) {
    const login = await signIn(user)
    const wanted = Math.min(LIMITS.channelsPerUser, CHANNELS - channels.length)
    channels.push(...(await Promise.all(Array.from({ length: wanted }, () => openChannel(login)))))
  }
  return channels
}

/** Latencies of statements that come at a steady pace, whether or not those before are answered. */
async function pace(next: (index: number) => ChannelClient): Promise<number[]> {
  const start = performance.now()
  const asked: Promise<number>[] = []
  for (let index = 0; index < STATEMENTS; index++) {
    const due = start + (index * 1000) / PER_SECOND
    const waitMs = due - performance.now()
    if (waitMs > 0) await sleep(waitMs)
    asked.push(timed(() => next(index).run('select 1')))
  }
  return Promise.all(asked)
}

async function oneByOne(channel: ChannelClient): Promise<number[]> {
  const times: number[] = []
  for (let run = 0; run < STATEMENTS; run++) times.push(await timed(() => channel.run('select 1')))
  return times
}

/** As many people as one machine should bear, against one who is alone with it. */
export async function benchManyChannels(workshop: Workshop): Promise<Measured> {
  const alone = await oneByOne(workshop.product)
  const channels = await openAll(workshop)
  const asking = channels.slice(0, ASKING)
  // The first statement of each opens its connection.
  for (const channel of asking) await channel.run('select 1')
  const together = await pace((index) => asking[index % asking.length] ?? workshop.product)
  await Promise.all(channels.map((channel) => channel.close()))
  return {
    title: `select 1 with ${channels.length} channels open, ${PER_SECOND} a second, ${STATEMENTS} runs`,
    peer: 'one alone',
    figures: [0.5, 0.99].map((share) => ({
      label: `p${share * 100}`,
      product: percentile(together, share),
      peer: percentile(alone, share),
    })),
    goals: [atMost('p99, ms', percentile(together, 0.99), 50)],
    notes: [],
  }
}
