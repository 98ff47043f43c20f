import { randomBytes } from 'node:crypto'
import type { Connection, integration, Output } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Events } from '../../kernel/events.ts'

/** Different programs, users and addresses of one account, and accounts; the oldest make room. */
const MOST_OF_ACCOUNT = 200
const MOST_ACCOUNTS = 2_000
/** That an answer lists, the newest. */
const MOST_LISTED = 20

interface Came extends Omit<Connection, 'isOwn' | 'user'> {
  /** Of all that this server has noticed. */
  readonly number: number
  readonly userId: string | null
  readonly name: string
}

const MARK = /^([0-9a-f]{16})-(\d{1,15})$/

/** Sets the last entry of a map that drops its first when it is full. */
function setLast<V>(map: Map<string, V>, entry: readonly [string, V], most: number): void {
  const [key, value] = entry
  map.delete(key)
  map.set(key, value)
  const [first] = map.keys()
  if (map.size > most && first !== undefined) map.delete(first)
}

const seesAll = ({ activeRoles }: Actor): boolean =>
  activeRoles.includes('account_admin') || activeRoles.includes('security_admin')

/**
 * Who came in just now, for somebody who waits for their program to connect. The log of sign-ins cannot answer that: what
 * comes again within a minute is only counted there, whatever program it is. This is in memory alone, bounded, and the
 * same program that comes again and again is one entry.
 */
export function createConnections({ events, clock }: { events: Pick<Events, 'on'>; clock: Clock }) {
  const server = randomBytes(8).toString('hex')
  const accounts = new Map<string, Map<string, Came>>()
  let last = 0

  events.on('programCame', ({ accountId, userId, user: name, door, outcome, clientIp, program }) => {
    const ofAccount = accounts.get(accountId) ?? new Map<string, Came>()
    const key = JSON.stringify([userId ?? name.toLowerCase(), door, outcome, clientIp, program])
    const count = (ofAccount.get(key)?.count ?? 0) + 1
    const at = clock.now().toISOString()
    const came = { number: ++last, at, count, userId, name, door, outcome, clientIp, program }
    setLast(ofAccount, [key, came], MOST_OF_ACCOUNT)
    setLast(accounts, [accountId, ofAccount], MOST_ACCOUNTS)
  })

  /** Where nobody proved who they are, the name may be a password by mistake: others are not shown it. */
  function shownTo(actor: Actor, came: Came): Connection | null {
    const { number: _number, userId, name, ...shown } = came
    const isOwn = userId === null ? name.toLowerCase() === actor.user.toLowerCase() : userId === actor.userId
    if (!isOwn && !seesAll(actor)) return null
    return { ...shown, isOwn, user: isOwn ? actor.user : userId === null ? null : name }
  }

  return {
    since(actor: Actor, mark: string | null): Output<typeof integration.connections> {
      const [, of, number] = MARK.exec(mark ?? '') ?? []
      const isInterrupted = mark !== null && of !== server
      const after = of === server ? Number(number) : isInterrupted ? 0 : last
      const connections = [...(accounts.get(actor.accountId)?.values() ?? [])]
        .filter((came) => came.number > after)
        .toReversed()
        .flatMap((came) => shownTo(actor, came) ?? [])
        .slice(0, MOST_LISTED)
      return { mark: `${server}-${last}`, connections, isInterrupted }
    },
  }
}

export type Connections = ReturnType<typeof createConnections>
