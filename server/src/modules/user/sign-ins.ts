import type { audit, Input, Output, SignIn, SignInDoor, SignInOutcome } from '@boathouse/contract'
import type { Transaction } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { throughEndpoint } from '../../kernel/client-address.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Events } from '../../kernel/events.ts'
import { historyBegins } from '../../kernel/history-time.ts'
import type { Log } from '../../kernel/log.ts'
import { inBatches } from '../../store/in-batches.ts'
import type { Schema } from '../../store/schema.ts'
import { recordAudits } from '../audit/record.ts'
import type { SignInPlace, SignInRow, SignInStore } from './sign-in-store.ts'
import { createCountedSignIns, MINUTE_MS, type SignInAttempt } from './counted-sign-ins.ts'

const AUDITED_AT_ONCE = 500

const OUTCOMES: Readonly<Record<string, SignInOutcome>> = {
  LoginFailed: 'wrongPassword',
  IpBlocked: 'addressBlocked',
  Conflict: 'accountNotReady',
  AccountFrozen: 'accountFrozen',
  TooManyAttempts: 'tooManyAttempts',
  SsoFailed: 'ssoFailed',
}

/** It expired, or does not allow this door. */
const KEY_REFUSALS: ReadonlySet<string> = new Set(['LoginFailed', 'LoginRequired', 'NoPermission'])

function outcomeOf(error: unknown, { method }: SignInAttempt): SignInOutcome | null {
  const outcome = error instanceof AppError ? OUTCOMES[error.code] : undefined
  if (outcome === 'wrongPassword' && method === 'sso') return 'ssoFailed'
  if (method === 'key' && error instanceof AppError && KEY_REFUSALS.has(error.code)) return 'keyRefused'
  return outcome ?? null
}

const presented = (row: SignInRow): SignIn => ({
  signInId: row.sign_in_id,
  at: row.at.toISOString(),
  lastAt: row.last_at.toISOString(),
  count: row.count,
  user: row.user_name,
  method: row.method as SignIn['method'],
  key: row.key_name,
  door: row.door as SignInDoor,
  outcome: row.outcome as SignInOutcome,
  clientIp: row.client_ip,
  privateEndpoint: row.private_endpoint,
  userAgent: row.user_agent,
})

const ACTIONS: Readonly<Record<string, `login.${string}`>> = {
  signedIn: 'login.begin',
  signedOut: 'login.end',
}

const addressOf = ({ client_ip: ip, private_endpoint: endpoint }: SignInRow): string =>
  endpoint === null ? (ip ?? '') : throughEndpoint(ip ?? '', endpoint)

/** The entry for the audit log, at the minute of the sign-in. */
const eventOf = (row: SignInRow) => ({
  at: row.at,
  by: {
    kind: 'user' as const,
    name: row.user_name ?? 'unknown',
    userId: row.user_id,
    accountId: row.account_id,
    clientIp: row.client_ip && addressOf(row),
    ...(row.key_name !== null && { key: row.key_name }),
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
  /** Receives sign-ins of programs, successful or not. */
  readonly events: Pick<Events, 'emit'>
}

/** The log of sign-ins. */
export function createSignIns({ store, transaction, clock, log, events }: SignInParts) {
  const { notice, writeCounts } = createCountedSignIns({ store, clock })
  const recorded = new WeakSet<object>()

  /** People at the console are not programs. */
  function tell(attempt: SignInAttempt, outcome: SignInOutcome): void {
    const { accountId, door = 'console', from, name = '', userId = null } = attempt
    if (door === 'console') return
    const { clientIp, userAgent: program = '' } = from
    events.emit('programCame', { accountId, userId, user: name, door, outcome, clientIp, program })
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
          tell(attempt, outcome)
          await notice(attempt, outcome).catch((cause: unknown) =>
            log.error({ err: cause, accountId: attempt.accountId }, 'a failed sign-in was not written down'),
          )
        }
        throw error
      }
    },

    /** Without a login, which would be listed with it: a program that signs in again and again is counted. */
    async cameIn(attempt: SignInAttempt & { readonly userId: string }): Promise<void> {
      await notice(attempt, 'signedIn')
      tell(attempt, 'signedIn')
    },

    writeCounts,

    /** Writes those of minutes that are over into the audit logs of their accounts. */
    async writeAudit(): Promise<void> {
      await writeCounts()
      // One that was counted at the end of a minute may still be on its way.
      const before = new Date((Math.floor(clock.now().getTime() / MINUTE_MS) - 1) * MINUTE_MS)
      for (;;) {
        const written = await transaction(async (trx) => {
          const rows = await store.takeUnaudited(trx, before, AUDITED_AT_ONCE)
          const accountId = rows[0]?.account_id
          if (accountId !== undefined) await recordAudits(trx, accountId, rows.map(eventOf))
          return rows.length
        })
        if (written === 0) return
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

    /** As long as the history; the audit log keeps them permanently. */
    forgetOld: () => {
      const before = historyBegins(clock.now())
      return inBatches((most) => store.forget(before, most))
    },
  }
}

export type SignIns = ReturnType<typeof createSignIns>
