import { createHash, randomBytes } from 'node:crypto'
import type { LoginEntry } from '@boathouse/contract'
import type { Kysely } from 'kysely'
import type { Actor, Caller } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Events } from '../../kernel/events.ts'
import type { Schema } from '../../store/schema.ts'
import { deleteLoginOf, deleteLoginsOf, insertLogin, livingLogins } from './login-store.ts'

/** Book section 4. */
export const IDLE_MS = 12 * 3_600_000
const ABSOLUTE_MS = 7 * 24 * 3_600_000
const MOST_LISTED = 200

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

export interface NewLogin {
  readonly userId: string
  readonly method: 'password' | 'sso'
  /** As it was when the user proved who they are: a login of before a change of password must not begin after it. */
  readonly passwordHash: string | null
  readonly from: Caller
}

/** Ids of the logins that ended; open channels are told once the transaction is done. */
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

    async end(actor: Actor, loginId: string): Promise<void> {
      const ended = await deleteLoginOf(db, actor.userId, Buffer.from(loginId, 'hex'))
      if (!ended) throw new AppError('NotFound', 'This login has ended already.')
      notifyEnded([loginId])
    },

    async endOthers(actor: Actor): Promise<number> {
      const ended = await endLoginsOf(db, actor.userId, actor.loginId)
      notifyEnded(ended)
      return ended.length
    },
  }
}

export type Logins = ReturnType<typeof createLogins>
