import { setTimeout as sleep } from 'node:timers/promises'
import { objectIn } from './answer.ts'
import { type ClusterClient, NoLongerKnown } from './client.ts'

const ENDED = new Set(['FINISHED', 'FAILED'])
const LOOK_MS = 100
const PATIENCE_MS = 10_000

/** Ends a statement that nobody listens to any more. False: in the time that this may take, it has not ended. */
export async function endQuery(client: ClusterClient, id: string, user: string): Promise<boolean> {
  const link = `/v1/query/${encodeURIComponent(id)}`
  const until = performance.now() + PATIENCE_MS
  try {
    await client.send({ method: 'DELETE', link, user })
    while (performance.now() < until) {
      const { text } = await client.send({ method: 'GET', link: `${link}?pruned=true`, user })
      if (ENDED.has(String(objectIn(text)['state']))) return true
      await sleep(LOOK_MS)
    }
    return false
  } catch (error) {
    // It ended long ago, or was never begun.
    if (error instanceof NoLongerKnown) return true
    throw error
  }
}
