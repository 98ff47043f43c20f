import { MESSAGES } from '@boathouse/contract'
import { type Actor, requireOpenAccount } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { RequireLetIn } from '../firewall/gate.ts'
import { actorOf } from './actor-of.ts'
import { reserveLogin } from './login-rate-limit.ts'
import type { NativeCredentials } from './native-credentials.ts'
import {
  createPasswordHolders,
  type Holder,
  type PasswordHolderParts,
  type ProgramFrom,
} from './password-holders.ts'
import { type ProgramUser, readProgramUser } from './program-name.ts'
import type { Scramble } from './proven-passwords.ts'
import type { SignInAttempt } from './counted-sign-ins.ts'
import type { SignIns } from './sign-ins.ts'
import type { Identity } from './store.ts'

/** As long as one can be at the console, where it is sent encoded. */
const LONGEST_PASSWORD = 384
const LONGEST_PROGRAM = 256

/** API keys, which are taken wherever a password is. */
export interface KeyProof {
  isKey(password: string): boolean
  /** Of this user and no other. */
  signIn(from: ProgramFrom, user: ProgramUser, secret: string): Promise<SignedInProgram>
  /** Null: it is of none of their keys. */
  signInByScramble(from: ProgramFrom, user: ProgramUser, scramble: Scramble): Promise<SignedInProgram | null>
}

export interface PlainSignInParts extends PasswordHolderParts {
  readonly keys: KeyProof
  readonly signIns: Pick<SignIns, 'watched' | 'cameIn'>
  readonly native: Pick<NativeCredentials, 'checkOf'>
  readonly requireLetIn: RequireLetIn
}

export type { ProgramFrom }

export interface PlainCredentials {
  /** `ACCOUNT.user` or `user@ACCOUNT`. */
  readonly name: string
  /** As the user types it. */
  readonly password: string
}

/** A program that signed in; the same that a channel hands to the query service as its `Requester`. */
export interface SignedInProgram {
  /** With the roles of when it came in. */
  readonly known: Actor
  /**
   * With the roles of this moment. Rejects when the user is gone or has another password, when the account is not open,
   * and when the firewall does not allow the address any more: the door then closes the connection. The database is not
   * asked when it has just said this version, and nothing has changed since.
   */
  now(identityVersion?: number): Promise<Actor>
}

const failed = () => new AppError('LoginFailed', MESSAGES.loginFailed)
const ended = () =>
  new AppError('LoginRequired', 'Your user was removed or has another password. Sign in again.')

const attemptOf = ({ clientIp, door, program = '' }: ProgramFrom, { accountId, username }: ProgramUser) =>
  ({
    accountId,
    name: username,
    from: { clientIp, userAgent: program.slice(0, LONGEST_PROGRAM) },
    method: 'password',
    door,
  }) satisfies SignInAttempt

/**
 * Signing in by user name and password alone, for programs that connect often and keep no login. The same rules as at the
 * console, but nothing is written for a connection except the log of sign-ins, once a minute.
 */
export function createPlainSignIn(parts: PlainSignInParts) {
  const { store, signIns, native, keys, rateLimit, requireLetIn } = parts
  const holders = createPasswordHolders(parts)

  /** From where it comes is asked last: only who has proved to be somebody learns that they are shut out. */
  async function requireAllowed(row: Identity, clientIp: string): Promise<void> {
    requireOpenAccount(row.shell_state)
    await requireLetIn({
      accountId: row.account_id,
      clientIp,
      identityVersion: row.identity_version ?? undefined,
    })
  }

  function opened(holder: Holder, clientIp: string): SignedInProgram {
    const { user_id: userId, password_hash: passwordHash } = holder
    let last: Identity = holder
    let actor = actorOf(last, '')
    return {
      known: actor,
      async now(identityVersion) {
        if (identityVersion === undefined || last.identity_version !== identityVersion) {
          const row = await holders.current(userId, passwordHash)
          if (!row) throw ended()
          last = row
          actor = actorOf(row, '')
        }
        await requireAllowed(last, clientIp)
        return actor
      },
    }
  }

  /** What every way to sign in has in common, once it is known who somebody says they are. */
  const comesIn = (from: ProgramFrom, user: ProgramUser, prove: () => Promise<Holder>) => {
    const { name, ...attempt } = attemptOf(from, user)
    return signIns.watched({ ...attempt, name }, async () => {
      const holder = await prove()
      await requireAllowed(holder, from.clientIp)
      await signIns.cameIn({ ...attempt, name: holder.user, userId: holder.user_id })
      return opened(holder, from.clientIp)
    })
  }

  return {
    /** Throws LoginFailed, TooManyAttempts, Conflict, AccountFrozen or IpBlocked, each of them listed. */
    async signIn(from: ProgramFrom, { name, password }: PlainCredentials): Promise<SignedInProgram> {
      const user = readProgramUser(name)
      if (!user || password === '' || password.length > LONGEST_PASSWORD) throw failed()
      if (keys.isKey(password)) return keys.signIn(from, user, password)
      return comesIn(from, user, () => holders.byPassword(from, user, password))
    },

    /** By a scramble of a key, or of a password that was right not long ago; null: it has to be the password itself. */
    async signInByScramble(
      from: ProgramFrom,
      { name, ...scramble }: Scramble & { readonly name: string },
    ): Promise<SignedInProgram | null> {
      const user = readProgramUser(name)
      if (!user) return null
      const byKey = await keys.signInByScramble(from, user, scramble)
      if (byKey) return byKey
      const holder = await holders.byScramble(from, user, scramble)
      return holder && comesIn(from, user, async () => holder)
    },

    /**
     * By a scramble of mysql_native_password; null: it has to be the password itself, also where a scramble does not fit,
     * so that nobody learns who has allowed this.
     */
    async signInByNative(
      from: ProgramFrom,
      { name, ...scramble }: Scramble & { readonly name: string },
    ): Promise<SignedInProgram | null> {
      const user = readProgramUser(name)
      const row = user && (await store.findByName(user.accountId, user.username))
      const check = row && (await native.checkOf(row.user_id))
      const passwordHash = row?.password_hash ?? null
      if (!user || !row || !check || passwordHash === null) return null
      const proving = comesIn(from, user, async () => {
        const attempt = await reserveLogin(rateLimit, { clientIp: from.clientIp, ...user })
        if (!check(scramble)) throw failed()
        await attempt.succeeded()
        return { ...row, password_hash: passwordHash }
      })
      return proving.catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'LoginFailed') return null
        throw error
      })
    },
  }
}

export type PlainSignIn = ReturnType<typeof createPlainSignIn>
