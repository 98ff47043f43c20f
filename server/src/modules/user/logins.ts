import { createHash, randomBytes } from 'node:crypto'
import type { LoginEntry } from '@boathouse/contract'
import type { Kysely } from 'kysely'
import type { Actor, Caller } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Events } from '../../kernel/events.ts'
import type { Schema } from '../../store/schema.ts'
import { deleteLoginsOf, insertLogin, livingLogins, signOut } from './login-store.ts'
export const IDLE_MS = 12 * 3_600_000
const ABSOLUTE_MS = 7 * 24 * 3_600_000
const MOST_LISTED = 200

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

export interface NewLogin {
  readonly userId: string
  readonly method: 'password' | 'sso'
  /** As of when the user proved their identity: a login from before a change of password must not start after it. */
  readonly passwordHash: string | null
  readonly from: Caller
}

/** Somebody signed in, and from where they ask. */
export type SignedIn = Pick<Caller, 'clientIp' | 'userAgent'> & { readonly actor: Actor }

/** Ids of the logins that ended. Open channels are notified after the transaction. */
export async function endLoginsOf(db: Kysely<Schema>, userId: string, except?: string): Promise<string[]> {
  const ended = await deleteLoginsOf(
    db,
    userId,
    except === undefined ? undefined : Buffer.from(except, 'hex'),
  )
  return ended.map((login) => login.token_hash.toString('hex'))
}

export function createLogins({ db, clock, events }: { db: Kysely<Schema>; clock: Clock; events: Events }) {
  const notifyEnded = (loginIds: readonly string[]): void => {
    for (const loginId of loginIds) events.emit('loginEnded', { loginId })
  }

  const endedBy = ({ actor, clientIp, userAgent = '' }: SignedIn) => ({
    userId: actor.userId,
    at: clock.now(),
    clientIp,
    userAgent,
  })

  return {
    notifyEnded,

    /** Answers the token, or null when the user is gone or has another password by now. */
    async open({ userId, method, passwordHash, from }: NewLogin): Promise<string | null> {
      const token = randomBytes(32).toString('base64url')
      const now = clock.now()
      const isOpened = await insertLogin(db, {
        tokenHash: hashToken(token),
        userId,
        passwordHash,
        method,
        at: now,
        expiresAt: new Date(now.getTime() + ABSOLUTE_MS),
        clientIp: from.clientIp,
        userAgent: from.userAgent ?? '',
      })
      return isOpened ? token : null
    },

    async list(actor: Actor): Promise<LoginEntry[]> {
      const now = clock.now()
      const usedAfter = new Date(now.getTime() - IDLE_MS)
      const rows = await livingLogins(db, actor.userId, { now, usedAfter, limit: MOST_LISTED })
      return rows.map((row) => ({
        loginId: row.token_hash.toString('hex'),
        method: row.method as LoginEntry['method'],
        createdAt: row.created_at.toISOString(),
        lastUsedAt: row.last_used_at.toISOString(),
        expiresAt: row.expires_at.toISOString(),
        clientIp: row.client_ip ?? '',
        userAgent: row.user_agent,
        isCurrent: row.token_hash.toString('hex') === actor.loginId,
      }))
    },

    async end(from: SignedIn, loginId: string): Promise<void> {
      const [ended] = await signOut(db, endedBy(from), { only: Buffer.from(loginId, 'hex') })
      if (!ended) throw new AppError('NotFound', 'This sign-in has already ended.')
      notifyEnded([loginId])
    },

    async endOthers(from: SignedIn): Promise<number> {
      const ended = await signOut(db, endedBy(from), { except: Buffer.from(from.actor.loginId, 'hex') })
      notifyEnded(ended.map((login) => login.token_hash.toString('hex')))
      return ended.length
    },

    /** Signing out; one that has ended already is no failure. */
    async endOwn(from: SignedIn): Promise<void> {
      const { loginId } = from.actor
      await signOut(db, endedBy(from), { only: Buffer.from(loginId, 'hex') })
      notifyEnded([loginId])
    },
  }
}

export type Logins = ReturnType<typeof createLogins>
