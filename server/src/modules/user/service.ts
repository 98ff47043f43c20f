import { createHash, randomBytes } from 'node:crypto'
import { decodePassword, MESSAGES, permissionsOf, type UserInfo } from '@boathouse/contract'
import type { Actor, Caller } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Events } from '../../kernel/events.ts'
import { createAttempts } from '../../kernel/attempts.ts'
import { createKnownLogins, type KnownLoginsParts } from './known-logins.ts'
import { verifyPassword } from './passwords.ts'
import type { Identity, UserStore } from './store.ts'

/** Book section 4. */
const IDLE_MS = 12 * 3_600_000
const ABSOLUTE_MS = 7 * 24 * 3_600_000

const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

const newActor = (row: Identity, tokenHash: Buffer): Actor => ({
  userId: row.user_id,
  user: row.user,
  accountId: row.account_id,
  creator: row.creator,
  region: row.region,
  isOrgAdmin: row.is_org_admin,
  activeRoles: row.active_roles,
  perms: permissionsOf(row.active_roles),
  loginId: tokenHash.toString('hex'),
})

/** Of logins as they are remembered: a login is asked for its holder with every statement. */
const actors = new WeakMap<Identity, Actor>()

function actorOf(row: Identity, tokenHash: Buffer): Actor {
  const actor = actors.get(row) ?? newActor(row, tokenHash)
  actors.set(row, actor)
  return actor
}

const infoOf = (row: Identity): UserInfo => ({
  user: row.user,
  creator: row.creator,
  email: row.email ?? '',
  accountId: row.account_id,
  accountName: row.account_name,
  accountState: row.shell_state,
  edition: row.edition as UserInfo['edition'],
  source: row.source,
  isOrgAdmin: row.is_org_admin,
  orgIdentity: row.identity,
  perms: permissionsOf(row.active_roles),
  region: row.region,
  activeRoles: row.active_roles,
})

export interface UserParts {
  readonly store: UserStore
  readonly clock: Clock
  readonly events: Events
  /** Somebody is found to be, or to be allowed, something else than before. */
  readonly onChanged: KnownLoginsParts['onChanged']
}

export function createUsers({ store, clock, events, onChanged }: UserParts) {
  const logins = createKnownLogins({ store, onChanged })
  const byUser = createAttempts({ clock, max: 10, windowMs: 5 * 60_000 })
  const byAddress = createAttempts({ clock, max: 50, windowMs: 5 * 60_000 })

  async function findLogin(tokenHash: Buffer, identityVersion?: number) {
    const row = await logins.find(tokenHash, identityVersion)
    const now = clock.now().getTime()
    if (!row || row.expires_at.getTime() <= now || row.last_used_at.getTime() + IDLE_MS <= now)
      throw new AppError('LoginRequired', MESSAGES.loginTimedOut)
    await logins.touch(tokenHash, row, clock.now())
    return row
  }

  return {
    async login(from: Caller, input: { accountId: string; username: string; password: string }) {
      const userKey = `${input.accountId}.${input.username.toLowerCase()}`
      if (byUser.isExceeded(userKey) || byAddress.isExceeded(from.clientIp))
        throw new AppError('TooManyAttempts', 'Too many failed logins. Wait five minutes, then try again.')

      const row = await store.findByName(input.accountId, input.username)
      if (!(await verifyPassword(decodePassword(input.password), row?.password_hash)) || !row) {
        byUser.add(userKey)
        byAddress.add(from.clientIp)
        throw new AppError('LoginFailed', MESSAGES.loginFailed)
      }
      byUser.clear(userKey)

      const token = randomBytes(32).toString('base64url')
      const now = clock.now()
      await store.insertLogin({
        token_hash: hashToken(token),
        user_id: row.user_id,
        account_id: row.account_id,
        created_at: now,
        last_used_at: now,
        expires_at: new Date(now.getTime() + ABSOLUTE_MS),
        client_ip: from.clientIp,
      })
      return { token, info: infoOf(row) }
    },

    /** Who holds this token; throws LoginRequired for anything but a living login. */
    async authenticate(token: string): Promise<Actor> {
      const tokenHash = hashToken(token)
      return actorOf(await findLogin(tokenHash), tokenHash)
    },

    /** The same for a login that was authenticated before, as its roles stand now, or at this version. */
    async authenticateLogin(loginId: string, identityVersion?: number): Promise<Actor> {
      const tokenHash = Buffer.from(loginId, 'hex')
      return actorOf(await findLogin(tokenHash, identityVersion), tokenHash)
    },

    async logout(actor: Actor) {
      await store.deleteLogin(Buffer.from(actor.loginId, 'hex'))
      events.emit('loginEnded', { loginId: actor.loginId })
    },

    async info(actor: Actor): Promise<UserInfo> {
      return infoOf(await findLogin(Buffer.from(actor.loginId, 'hex')))
    },

    removeEndedLogins: () => store.deleteEndedLogins(new Date(clock.now().getTime() - IDLE_MS), clock.now()),
  }
}

export type Users = ReturnType<typeof createUsers>
