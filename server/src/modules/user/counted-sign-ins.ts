import type { SignInDoor, SignInOutcome } from '@boathouse/contract'
import type { Caller } from '../../kernel/actor.ts'
import { bucketOf, minuteOf } from './sign-in-bucket.ts'
import type { NoticedSignIn } from './sign-in-store.ts'
import type { SignInParts } from './sign-ins.ts'

export const MINUTE_MS = 60_000

const DAY_MS = 24 * 60 * MINUTE_MS

/** Limits for failures of an account: rows that are started in a minute, and in a day. Others are counted together. */
export const MOST_FAILED = { minute: 60, day: 1_000 }

/** Of all accounts, until they are written. */
const MOST_WAITING = 10_000

/** What somebody tries, as far as it is known before it is judged. */
export interface SignInAttempt {
  readonly accountId: string
  readonly from: Pick<Caller, 'clientIp' | 'userAgent'>
  readonly method: 'password' | 'sso' | 'key'
  /** The name of the API key. */
  readonly key?: string
  /** The console unless it is said. */
  readonly door?: SignInDoor
  /** As the user typed it. */
  readonly name?: string
  readonly userId?: string
}

interface Noticed extends NoticedSignIn {
  /** Contains the name as the user typed it, which never leaves this process. */
  readonly key: string
}

/**
 * Attempts that come again and again. The first of its kind in a minute is written before it is answered; the others of
 * that minute are counted here and written by the job, so that a flood, or a program that connects for each statement,
 * costs the database no more than its first attempt.
 */
export function createCountedSignIns({ store, clock }: Pick<SignInParts, 'store' | 'clock'>) {
  /** Those whose row is written and whose count is not, by key. */
  const waiting = new Map<string, Noticed>()
  /** Rows that were started in this minute, by account. */
  let begun = { minute: '', of: new Map<string, number>() }

  function mayBegin(accountId: string, at: Date): boolean {
    const minute = minuteOf(at)
    if (begun.minute !== minute) begun = { minute, of: new Map() }
    const count = begun.of.get(accountId) ?? 0
    if (count >= MOST_FAILED.minute || begun.of.size >= MOST_WAITING) return false
    begun.of.set(accountId, count + 1)
    return true
  }

  /** What is not listed for itself. */
  const asOther = (failed: Noticed): Noticed => ({
    ...failed,
    key: `${failed.accountId} ${minuteOf(failed.at)} notListed`,
    bucket: `${minuteOf(failed.at)} notListed`,
    name: null,
    userId: null,
    method: null,
    keyName: null,
    door: 'console',
    outcome: 'notListed',
    clientIp: null,
    userAgent: '',
  })

  function countLater(noticed: Noticed): boolean {
    const known = waiting.get(noticed.key)
    if (known)
      waiting.set(noticed.key, { ...known, count: known.count + noticed.count, lastAt: noticed.lastAt })
    return known !== undefined
  }

  async function write(noticed: Noticed): Promise<void> {
    // A sign-in needs a password: there are only as many as users and addresses.
    if (noticed.outcome === 'signedIn') return store.add(noticed)
    const day = new Date(Math.floor(noticed.at.getTime() / DAY_MS) * DAY_MS)
    const isFull = (await store.countFailed(noticed.accountId, day, MOST_FAILED.day)) >= MOST_FAILED.day
    await store.add(isFull ? asOther(noticed) : noticed)
  }

  async function begin(noticed: Noticed): Promise<void> {
    if (countLater(noticed)) return
    const isListed = noticed.outcome === 'signedIn' || mayBegin(noticed.accountId, noticed.at)
    const first = isListed ? noticed : asOther(noticed)
    if (!isListed && countLater(first)) return
    if (waiting.size < MOST_WAITING) waiting.set(first.key, { ...first, count: 0 })
    await write(first)
  }

  async function notice(attempt: SignInAttempt, outcome: SignInOutcome): Promise<void> {
    const {
      accountId,
      from,
      method,
      door = 'console',
      name = null,
      userId = null,
      key: keyName = null,
    } = attempt
    const at = clock.now()
    const { clientIp, userAgent = '' } = from
    const by = keyName === null ? method : `${method} ${keyName}`
    const bucket = bucketOf(at, { who: '', clientIp, method: by, outcome, door })
    await begin({
      accountId,
      key: [accountId, bucket, userId ?? name?.toLowerCase() ?? ''].join(' '),
      bucket,
      at,
      lastAt: at,
      count: 1,
      name,
      userId,
      method,
      keyName,
      door,
      outcome,
      clientIp,
      userAgent,
    })
  }

  /** Counts of minutes that are over, and of this one. */
  async function writeCounts(): Promise<void> {
    const minute = minuteOf(clock.now())
    for (const [key, counted] of waiting) {
      if (minuteOf(counted.at) !== minute) waiting.delete(key)
      else waiting.set(key, { ...counted, count: 0 })
      if (counted.count > 0) await write(counted)
    }
  }

  return { notice, writeCounts }
}
