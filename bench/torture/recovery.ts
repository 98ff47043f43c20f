import { setTimeout as sleep } from 'node:timers/promises'
import type { Login } from '@boathouse/client'
import { openChannel } from '../channel-client.ts'

const TRY_AGAIN_MS = 20
const TRY_MS = 30_000
const GIVE_UP_MS = 240_000

async function tryOnce(login: Login): Promise<void> {
  const channel = await openChannel(login)
  try {
    await channel.run('SELECT 1')
  } finally {
    await channel.close()
  }
}

const withinTime = async (work: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It did not answer in ${TRY_MS} ms.`)), TRY_MS)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** It never answered again. */
export class ServiceLost extends Error {
  override readonly name = 'ServiceLost'
}

/** Milliseconds since `from` until somebody who opens a channel and asks the least gets an answer. */
export async function untilAnswering(
  login: Login,
  from: number,
  afterFailure: () => Promise<void>,
): Promise<number> {
  for (;;) {
    try {
      await withinTime(tryOnce(login))
      return performance.now() - from
    } catch (error) {
      if (performance.now() - from > GIVE_UP_MS) throw new ServiceLost(String(error), { cause: error })
      await afterFailure()
      await sleep(TRY_AGAIN_MS)
    }
  }
}
