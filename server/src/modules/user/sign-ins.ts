import type { audit, Input, Output, SignIn, SignInDoor, SignInOutcome } from '@boathouse/contract'
import type { Transaction } from 'kysely'
import type { Actor, Caller } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { historyBegins } from '../../kernel/history-time.ts'
import type { Log } from '../../kernel/log.ts'
import { inBatches } from '../../store/in-batches.ts'
import type { Schema } from '../../store/schema.ts'
import { recordAudits } from '../audit/record.ts'
import { bucketOf, minuteOf } from './sign-in-bucket.ts'
import type { NoticedSignIn, SignInPlace, SignInRow, SignInStore } from './sign-in-store.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** Of what fails in an account: rows that are begun in a minute, and in a day. Beyond that they are counted together. */
export const MOST_FAILED = { minute: 60, day: 1_000 }
/** Of all accounts, until they are written. */
const MOST_WAITING = 10_000
const TOLD_AT_ONCE = 500

/** What somebody tries, as far as it is known before it is judged. */
export interface SignInAttempt {
  readonly accountId: string
  readonly from: Pick<Caller, 'clientIp' | 'userAgent'>
  readonly method: 'password' | 'sso'
  /** By the console unless it is said. */
  readonly door?: SignInDoor
  /** As it was typed. */
  readonly name?: string
  readonly userId?: string
}

interface Noticed extends NoticedSignIn {
  /** With the name as it was typed, which goes no further than this process. */
  readonly key: string
}

const OUTCOMES: Readonly<Record<string, SignInOutcome>> = {
  LoginFailed: 'wrongPassword',
  IpBlocked: 'addressBlocked',
  Conflict: 'accountNotReady',
  AccountFrozen: 'accountFrozen',
  TooManyAttempts: 'tooManyAttempts',
  SsoFailed: 'ssoFailed',
}

function outcomeOf(error: unknown, { method }: SignInAttempt): SignInOutcome | null {
  const outcome = error instanceof AppError ? OUTCOMES[error.code] : undefined
  if (outcome === 'wrongPassword' && method === 'sso') return 'ssoFailed'
  return outcome ?? null
}

const presented = (row: SignInRow): SignIn => ({
  signInId: row.sign_in_id,
  at: row.at.toISOString(),
  lastAt: row.last_at.toISOString(),
  count: row.count,
  user: row.user_name,
  method: row.method as SignIn['method'],
  door: row.door as SignInDoor,
  outcome: row.outcome as SignInOutcome,
  clientIp: row.client_ip,
  userAgent: row.user_agent,
})

const ACTIONS: Readonly<Record<string, `login.${string}`>> = {
  signedIn: 'login.begin',
  signedOut: 'login.end',
}

/** As the audit log tells of it, in the minute in which it was. */
const eventOf = (row: SignInRow) => ({
  at: row.at,
  by: {
    kind: 'user' as const,
    name: row.user_name ?? 'unknown',
    userId: row.user_id,
    accountId: row.account_id,
    clientIp: row.client_ip,
  },
  action: ACTIONS[row.outcome] ?? ('login.fail' as const),
  object: { type: 'login', id: row.user_id ?? 'unknown', name: row.user_name ?? 'unknown' },
  before: null,
  after: {
    outcome: row.outcome,
    method: row.method,
    ...(row.door === 'console' ? {} : { door: row.door }),
    count: row.count,
    ...(row.count > 1 ? { until: row.last_at.toISOString() } : {}),
    client: row.user_agent,
  },
})

function readPlace(after: string): SignInPlace {
  const [, at = '', id = ''] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_(\d{1,15})$/.exec(after) ?? []
  if (!at) throw new AppError('BadInput', 'after: This is not the `next` of an earlier page.')
  return { at, id: Number(id) }
}

export interface SignInParts {
  readonly store: SignInStore
  readonly transaction: <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>
  readonly clock: Clock
  readonly log: Log
}

/**
 * The log of sign-ins. The first of its kind in a minute is written before it is answered; the others of that minute are
 * counted here and written by the job, so that a flood, or a program that connects for each statement, costs no more of
 * the database than its first attempt.
 */
export function createSignIns({ store, transaction, clock, log }: SignInParts) {
  /** Those whose row is there and whose count is not. */
  const waiting = new Map<string, Noticed>()
  /** Rows that were begun in this minute, by account. */
  let begun = { minute: '', of: new Map<string, number>() }
  const recorded = new WeakSet<object>()

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
    // Who signs in has proved to be somebody: these are as many as there are people and addresses.
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
    const { accountId, from, method, door = 'console', name = null, userId = null } = attempt
    const at = clock.now()
    const { clientIp, userAgent = '' } = from
    const bucket = bucketOf(at, { who: '', clientIp, method, outcome, door })
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

  return {
    /** Whatever comes of it is the attempt's end; one that fails is written down before it is answered. */
    async watched<T>(attempt: SignInAttempt, work: () => Promise<T>): Promise<T> {
      try {
        return await work()
      } catch (error) {
        const outcome = outcomeOf(error, attempt)
        if (outcome && error instanceof AppError && !recorded.has(error)) {
          recorded.add(error)
          await notice(attempt, outcome).catch((cause: unknown) =>
            log.error({ err: cause, accountId: attempt.accountId }, 'a failed sign-in was not written down'),
          )
        }
        throw error
      }
    },

    /** Without a login, which would be listed with it: a program that comes in again and again is counted. */
    cameIn: (attempt: SignInAttempt & { readonly userId: string }): Promise<void> =>
      notice(attempt, 'signedIn'),

    writeCounts,

    /** Writes those of minutes that are over into the audit logs of their accounts. */
    async tell(): Promise<void> {
      await writeCounts()
      // One that was counted at the end of a minute may still be on its way.
      const before = new Date((Math.floor(clock.now().getTime() / MINUTE_MS) - 1) * MINUTE_MS)
      for (;;) {
        const told = await transaction(async (trx) => {
          const rows = await store.takeUntold(trx, before, TOLD_AT_ONCE)
          const accountId = rows[0]?.account_id
          if (accountId !== undefined) await recordAudits(trx, accountId, rows.map(eventOf))
          return rows.length
        })
        if (told === 0) return
      }
    },

    async list(
      accountId: string,
      { limit, after, ...filter }: Input<typeof audit.signIns>,
    ): Promise<Output<typeof audit.signIns>> {
      const behind = after === undefined ? null : readPlace(after)
      const rows = await store.page(accountId, { filter, behind, limit: limit + 1 })
      const shown = rows.slice(0, limit)
      const last = shown.at(-1)
      const next = rows.length > limit && last ? `${last.at.toISOString()}_${last.sign_in_id}` : null
      return { signIns: shown.map(presented), next }
    },

    ofUser: async ({ userId }: Actor, limit: number): Promise<SignIn[]> =>
      (await store.ofUser(userId, limit)).map(presented),

    /** As long as the history; the audit log keeps them for good. */
    forgetOld: () => {
      const before = historyBegins(clock.now())
      return inBatches((most) => store.forget(before, most))
    },
  }
}

export type SignIns = ReturnType<typeof createSignIns>
