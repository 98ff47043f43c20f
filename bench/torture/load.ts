import { setTimeout as sleep } from 'node:timers/promises'
import { addressOf, createSession, DroppedError, type Login, type Session } from '@boathouse/client'
import { QUERY_STATES, type QueryRsp } from '@boathouse/contract'
import type { Book, Task } from './book.ts'
import type { Random } from './random.ts'
import { openCutChannel, type CutChannel } from './testing/cut-channel.ts'

const TABS = 3
const HASTE = 2
const LONGEST_THOUGHT_MS = 40
const ASK_AGAIN_AFTER_MS = 150
/** The client itself gives up long before. */
const ANSWERED_WITHIN_MS = 60_000
/** Longer than anything needs to come back, and short enough to end a run that is stuck. */
const CERTAIN_WITHIN_MS = 240_000
/** Of what is certain already, this share is asked once more and must be the same. */
const DOUBTED = 0.05
const LONGEST_QUIET_MS = 2_500
const LONGEST_DEAF_MS = 400

export interface Load {
  readonly cuts: () => number
  /** Asks nothing new, lets everything become certain, then closes the channels. */
  stop(): Promise<void>
}

interface Worker {
  readonly tab: Session
  readonly book: Book
  readonly random: Random
}

/** The last answer of every statement; null when the client gave the request up. */
async function answersOf(tab: Session, { requestId, sql }: Task): Promise<QueryRsp[] | null> {
  const signal = AbortSignal.timeout(ANSWERED_WITHIN_MS)
  try {
    return await tab.ask(sql, { requestId, signal })
  } catch (error) {
    if (error instanceof DroppedError || signal.aborted) return null
    throw error
  }
}

/** Asks until all is certain; resolves with whether every statement finished. */
async function settle({ tab, book }: Worker, task: Task): Promise<boolean> {
  const deadline = Date.now() + CERTAIN_WITHIN_MS
  for (let times = 0; ; times++) {
    if (times > 0) book.askedAgain++
    const answers = await answersOf(tab, task)
    if (answers && book.hear(task, answers))
      return answers.every(({ queryState }) => queryState === QUERY_STATES.Finished)
    if (Date.now() > deadline) {
      book.neverAnswered(task)
      return false
    }
    await sleep(ASK_AGAIN_AFTER_MS)
  }
}

async function work(worker: Worker, isOver: () => boolean): Promise<void> {
  const { tab, book, random } = worker
  while (!isOver()) {
    const task = book.next(random)
    const hasFinished = await settle(worker, task)
    if (random.chance(DOUBTED)) await settle(worker, task)
    // A transaction that was cut off may still be open there, and what follows would become a part of it.
    if (task.isTransaction && !hasFinished) tab.abandonConnection()
    await sleep(random.below(LONGEST_THOUGHT_MS))
  }
}

/** The line breaks, sometimes after a while in which only half of it works. */
async function cutOnce(channel: CutChannel, random: Random): Promise<void> {
  if (random.chance(0.5)) {
    channel.goDeaf()
    await sleep(random.below(LONGEST_DEAF_MS))
  }
  channel.cut()
}

/** Several consoles with several tabs each, all of them always busy. */
export function startLoad(options: { logins: readonly Login[]; book: Book; random: Random }): Load {
  const { logins, book, random } = options
  const over = new AbortController()
  const isOver = () => over.signal.aborted
  let cuts = 0
  const channels = logins.map((login) => {
    const channel = openCutChannel({ address: () => addressOf(login), haste: HASTE })
    channel.client.on('relogin', () => {
      book.accuse('a living login was asked to sign in again')
      channel.client.open()
    })
    channel.client.open()
    return channel
  })
  const working = channels.flatMap((channel) => {
    const tabs = Array.from({ length: TABS }, (_, at) => createSession(channel.client, `tab-${at}`))
    channel.client.setConnections(() => tabs.map((tab) => tab.connId()))
    return tabs.map((tab) => work({ tab, book, random: random.fork() }, isOver))
  })
  const cutting = channels.map(async (channel) => {
    const own = random.fork()
    while (!isOver()) {
      await sleep(own.below(LONGEST_QUIET_MS))
      await cutOnce(channel, own)
      cuts++
    }
  })
  return {
    cuts: () => cuts,
    async stop() {
      over.abort()
      await Promise.all([...working, ...cutting])
      for (const { client } of channels) client.close()
    },
  }
}
