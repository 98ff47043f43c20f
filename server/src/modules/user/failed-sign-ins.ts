import type { SignInOutcome } from '@boathouse/contract'
import type { Caller } from '../../kernel/actor.ts'
import { bucketOf, minuteOf } from './sign-in-bucket.ts'
import type { FailedSignIn } from './sign-in-store.ts'
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
  readonly method: 'password' | 'sso'
  /** As the user typed it. */
  readonly name?: string
  readonly userId?: string
}

interface Failed extends FailedSignIn {
  /** Contains the name as the user typed it, which never leaves this process. */
  readonly key: string
}

/** Failed sign-ins. The first of its kind in a minute is written before it is answered; the others of that minute are
 * counted here and written by the job, so that a flood costs the database no more than its first attempt. */
export function createFailedSignIns({ store, clock }: Pick<SignInParts, 'store' | 'clock'>) {
  /** Failures whose row is written and whose count is not, by key. */
  const waiting = new Map<string, Failed>()
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
  const asOther = (failed: Failed): Failed => ({
    ...failed,
    key: `${failed.accountId} ${minuteOf(failed.at)} notListed`,
    bucket: `${minuteOf(failed.at)} notListed`,
    name: null,
    userId: null,
    method: null,
    outcome: 'notListed',
    clientIp: null,
    userAgent: '',
  })

  function countLater(failed: Failed): boolean {
    const known = waiting.get(failed.key)
    if (known) waiting.set(failed.key, { ...known, count: known.count + failed.count, lastAt: failed.lastAt })
    return known !== undefined
  }

  async function write(failed: Failed): Promise<void> {
    const day = new Date(Math.floor(failed.at.getTime() / DAY_MS) * DAY_MS)
    const isFull = (await store.countFailed(failed.accountId, day, MOST_FAILED.day)) >= MOST_FAILED.day
    await store.add(isFull ? asOther(failed) : failed)
  }

  async function begin(failed: Failed): Promise<void> {
    if (countLater(failed)) return
    const isListed = mayBegin(failed.accountId, failed.at)
    const first = isListed ? failed : asOther(failed)
    if (!isListed && countLater(first)) return
    if (waiting.size < MOST_WAITING) waiting.set(first.key, { ...first, count: 0 })
    await write(first)
  }

  async function failed(attempt: SignInAttempt, outcome: SignInOutcome): Promise<void> {
    const { accountId, from, method, name = null, userId = null } = attempt
    const at = clock.now()
    const { clientIp, userAgent = '' } = from
    const bucket = bucketOf(at, { who: '', clientIp, method, outcome })
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

  return { failed, writeCounts }
}
