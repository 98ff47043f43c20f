import { createHash } from 'node:crypto'
import { z } from 'zod'

export const NO_ENTRY = '0'.repeat(64)

export const hashOf = (entry: string): string => createHash('sha256').update(entry).digest('hex')

/** Of one account's log. `problem` is null when no entry was changed and none is missing. */
export interface ChainVerdict {
  readonly accountId: string
  readonly entries: number
  /** Kept elsewhere, it proves later that this part of the log is still what it was. */
  readonly head: string
  readonly problem: string | null
}

const Link = z.object({ account: z.string(), number: z.int(), previous: z.string() })

/**
 * Walks entries one after the other, from the first or from one that is known to be good. Needs nothing but their texts,
 * so that a copy can be checked anywhere.
 */
export function createChainCheck(
  accountId: string,
  good: Pick<ChainVerdict, 'entries' | 'head'> = { entries: 0, head: NO_ENTRY },
) {
  let { entries, head } = good
  let problem: string | null = null

  function faultOf(text: string): string | null {
    let parsed: unknown
    try {
      parsed = JSON.parse(text)
    } catch {
      return 'is not JSON'
    }
    const link = Link.safeParse(parsed)
    if (!link.success) return 'is not an entry of an audit log'
    if (link.data.account !== accountId) return `belongs to the account ${link.data.account}`
    if (link.data.number !== entries + 1) return `says that it is entry ${link.data.number}`
    if (link.data.previous !== head) return 'does not follow the entry before it: one of the two was changed'
    return null
  }

  return {
    add(text: string): void {
      if (problem !== null) return
      const fault = faultOf(text)
      if (fault !== null) problem = `Entry ${entries + 1} ${fault}.`
      else {
        entries += 1
        head = hashOf(text)
      }
    },
    verdict: (): ChainVerdict => ({ accountId, entries, head, problem }),
  }
}
