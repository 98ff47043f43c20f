import { decodePassword, MESSAGES, permissionsOf, type UserInfo, withInherited } from '@boathouse/contract'
import type { Actor, Caller } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { RateLimit } from '../attempt/rate-limit.ts'
import type { RequireLetIn } from '../firewall/gate.ts'
import { actorOf } from './actor-of.ts'
import { createLoginCache, type LoginCacheParts } from './login-cache.ts'
import { hashToken, IDLE_MS, type Logins, type NewLogin, type SignedIn } from './logins.ts'
import { createPasswordProof } from './prove-password.ts'
import type { SignIns } from './sign-ins.ts'
import type { Identity, UserStore } from './store.ts'

/** By cached login: every statement needs the actor of its login. */
const actors = new WeakMap<Identity, Actor>()

function holderOf(row: Identity, tokenHash: Buffer): Actor {
  const actor = actors.get(row) ?? actorOf(row, tokenHash.toString('hex'))
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
  perms: permissionsOf(withInherited(row.active_roles)),
  region: row.region,
  activeRoles: withInherited(row.active_roles),
})

export interface UserParts {
  readonly store: UserStore
  readonly logins: Logins
  readonly signIns: Pick<SignIns, 'watched'>
  readonly rateLimit: RateLimit
  readonly requireLetIn: RequireLetIn
  readonly clock: Clock
  /** Somebody is found to be, or to be allowed, something else than before. */
  readonly onChanged: LoginCacheParts['onChanged']
}

export function createUsers(parts: UserParts) {
  const { store, logins, signIns, rateLimit, requireLetIn, clock, onChanged } = parts
  const known = createLoginCache({ store, onChanged })
  const provePassword = createPasswordProof({ store, rateLimit })

  async function findLiving(tokenHash: Buffer, identityVersion?: number) {
    const row = await known.find(tokenHash, identityVersion)
    const now = clock.now().getTime()
    if (!row || row.expires_at.getTime() <= now || row.last_used_at.getTime() + IDLE_MS <= now)
      throw new AppError('LoginRequired', MESSAGES.loginTimedOut)
    return row
  }

  const admit = (row: Identity, clientIp: string): Promise<void> =>
    requireLetIn({
      accountId: row.account_id,
      clientIp,
      identityVersion: row.identity_version ?? undefined,
    })

  /** Used from elsewhere, a login is not kept alive. */
  async function useLogin(tokenHash: Buffer, clientIp: string, identityVersion?: number): Promise<Actor> {
    const row = await findLiving(tokenHash, identityVersion)
    await admit(row, clientIp)
    await known.touch(tokenHash, row, clock.now())
    return holderOf(row, tokenHash)
  }

  /** The address is checked last: only a user who has proved their identity learns that it is blocked. */
  async function begin(row: Identity, login: NewLogin) {
    await admit(row, login.from.clientIp)
    const token = await logins.open(login)
    // Between the proof and here the user was removed, or chose another password.
    if (token === null) throw new AppError('LoginFailed', MESSAGES.loginFailed)
    return { token, info: infoOf(row) }
  }

  async function login(from: Caller, input: { accountId: string; username: string; password: string }) {
    const row = await provePassword({
      ...input,
      clientIp: from.clientIp,
      password: decodePassword(input.password),
    })
    return begin(row, { userId: row.user_id, method: 'password', passwordHash: row.password_hash, from })
  }

  return {
    login(from: Caller, input: { accountId: string; username: string; password: string }) {
      const { accountId, username: name } = input
      return signIns.watched({ accountId, from, method: 'password', name }, () => login(from, input))
    },

    /** For who has proved to be this user in another way than by a password typed at sign-in. */
    async loginAs(from: Caller, userId: string, method: 'password' | 'sso') {
      const row = await store.findById(userId)
      if (!row) throw new AppError('LoginFailed', MESSAGES.loginFailed)
      const attempt = { accountId: row.account_id, from, method, userId }
      return signIns.watched(attempt, () =>
        begin(row, { userId, method, passwordHash: row.password_hash, from }),
      )
    },

    /** Whose address it is, for who proves it in another way. */
    async withEmail(accountId: string, email: string) {
      const row = await store.findByEmail(accountId, email)
      return row && { userId: row.user_id, user: row.user, email: row.email ?? '' }
    },

    async withId(userId: string) {
      const row = await store.findById(userId)
      return (
        row && {
          user: row.user,
          email: row.email,
          accountId: row.account_id,
          hasPassword: row.password_hash !== null,
        }
      )
    },

    /** Who holds this token; throws LoginRequired for anything but a living login, IpBlocked for one used from elsewhere. */
    async authenticate(token: string, clientIp: string): Promise<Actor> {
      return useLogin(hashToken(token), clientIp)
    },

    /** The same for a login that was authenticated before, with its current roles, or those of this version. */
    async authenticateLogin(loginId: string, clientIp: string, identityVersion?: number): Promise<Actor> {
      return useLogin(Buffer.from(loginId, 'hex'), clientIp, identityVersion)
    },

    /** Without a login, as for a link that was given to them. */
    async actorOf(userId: string): Promise<Actor | undefined> {
      const row = await store.findById(userId)
      return row && actorOf(row, '')
    },

    logout: (from: SignedIn): Promise<void> => logins.endOwn(from),

    async info(actor: Actor): Promise<UserInfo> {
      if (!actor.key) return infoOf(await findLiving(Buffer.from(actor.loginId, 'hex')))
      const row = await store.findById(actor.userId)
      if (!row) throw new AppError('LoginRequired', MESSAGES.loginTimedOut)
      // Of what a key may do, and not of what its user may.
      const { activeRoles, perms, isOrgAdmin } = actor
      return { ...infoOf(row), activeRoles: [...activeRoles], perms: [...perms], isOrgAdmin }
    },

    removeEndedLogins: () => store.deleteEndedLogins(new Date(clock.now().getTime() - IDLE_MS), clock.now()),
  }
}

export type Users = ReturnType<typeof createUsers>
