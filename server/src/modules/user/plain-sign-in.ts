import { MESSAGES, type SignInDoor } from '@boathouse/contract'
import { type Actor, requireOpenAccount } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { addressBlock } from '../attempt/address-block.ts'
import type { RequireLetIn } from '../firewall/gate.ts'
import { actorOf } from './actor-of.ts'
import { reserveLogin } from './login-rate-limit.ts'
import type { NativeCredentials } from './native-credentials.ts'
import { type ProgramUser, readProgramUser } from './program-name.ts'
import { createPasswordProof, type PasswordProofParts } from './prove-password.ts'
import { createProvenPasswords, type Scramble, twiceHashedOf } from './proven-passwords.ts'
import type { SignInAttempt } from './counted-sign-ins.ts'
import type { SignIns } from './sign-ins.ts'
import type { Identity, UserStore } from './store.ts'

/** As long as one can be at the console, where it is sent encoded. */
const LONGEST_PASSWORD = 384
const LONGEST_PROGRAM = 256

export interface PlainSignInParts extends PasswordProofParts {
  readonly store: Pick<UserStore, 'findByName' | 'findById'>
  readonly signIns: Pick<SignIns, 'watched' | 'cameIn'>
  readonly native: Pick<NativeCredentials, 'checkOf'>
  readonly requireLetIn: RequireLetIn
  readonly clock: Clock
  /** Passwords that are known to be right, at most. */
  readonly mostKnown?: number
}

/** From where a program comes, known before anything about who it is. */
export interface ProgramFrom {
  readonly door: Exclude<SignInDoor, 'console'>
  readonly clientIp: string
  /** What it says of itself. */
  readonly program?: string
}

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

type Holder = Identity & { readonly password_hash: string }

const failed = () => new AppError('LoginFailed', MESSAGES.loginFailed)
const ended = () =>
  new AppError('LoginRequired', 'Your user was removed or has another password. Sign in again.')

interface Proving {
  readonly from: ProgramFrom
  readonly user: ProgramUser
  readonly password: string
  readonly place: string
}

/** A user at an address. */
const placeOf = ({ clientIp }: ProgramFrom, { accountId, username }: ProgramUser): string =>
  [addressBlock(clientIp), accountId, username.toLowerCase()].join(' ')

const attemptOf = ({ clientIp, door, program = '' }: ProgramFrom, { accountId, username }: ProgramUser) =>
  ({
    accountId,
    name: username,
    from: { clientIp, userAgent: program.slice(0, LONGEST_PROGRAM) },
    method: 'password',
    door,
  }) satisfies SignInAttempt

/** Several that share one attempt are refused each for themselves, and each is listed. */
const sameAgain = (error: unknown): unknown =>
  error instanceof AppError ? new AppError(error.code, error.message, { cause: error }) : error

/**
 * Signing in by user name and password alone, for programs that connect often and keep no login. The same rules as at the
 * console, but nothing is written for a connection except the log of sign-ins, once a minute.
 */
export function createPlainSignIn(parts: PlainSignInParts) {
  const { store, signIns, native, rateLimit, requireLetIn, clock, mostKnown } = parts
  const provePassword = createPasswordProof(parts)
  const proven = createProvenPasswords({ clock, ...(mostKnown !== undefined && { most: mostKnown }) })
  /** A pool opens many connections at once: the same password for the same user at one address is hashed once. */
  const proving = new Map<string, Promise<Holder>>()

  /** As they are now, unless they are gone or have another password by now. */
  async function current(userId: string, passwordHash: string | null): Promise<Holder | null> {
    const row = await store.findById(userId)
    const isSame = passwordHash !== null && row?.password_hash === passwordHash
    return isSame ? { ...row, password_hash: passwordHash } : null
  }

  async function prove(from: ProgramFrom, user: ProgramUser, password: string): Promise<Holder> {
    const row = await provePassword({ clientIp: from.clientIp, ...user, password })
    const now = await current(row.user_id, row.password_hash)
    if (!now) throw failed()
    return now
  }

  async function holderOf(from: ProgramFrom, user: ProgramUser, password: string): Promise<Holder> {
    const place = placeOf(from, user)
    const holder = await provenHolder({ from, user, password, place })
    if (from.door === 'mysql') proven.allowScramble(place, twiceHashedOf(password))
    return holder
  }

  async function provenHolder({ from, user, password, place }: Proving): Promise<Holder> {
    const proof = proven.proofOf(place, password)
    const before = proven.take(place, proof)
    const known = before && (await current(before.userId, before.passwordHash))
    if (known) return known
    if (before) proven.end(place)
    const key = proof.toString('base64')
    const running = proving.get(key)
    if (running)
      return running.catch((error: unknown) => {
        throw sameAgain(error)
      })
    const attempt = prove(from, user, password)
    proving.set(key, attempt)
    try {
      const holder = await attempt
      proven.keep(place, proof, { userId: holder.user_id, passwordHash: holder.password_hash })
      return holder
    } finally {
      proving.delete(key)
    }
  }

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
          const row = await current(userId, passwordHash)
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
      await signIns.cameIn({ ...attempt, userId: holder.user_id })
      return opened(holder, from.clientIp)
    })
  }

  return {
    /** Throws LoginFailed, TooManyAttempts, Conflict, AccountFrozen or IpBlocked, each of them listed. */
    async signIn(from: ProgramFrom, { name, password }: PlainCredentials): Promise<SignedInProgram> {
      const user = readProgramUser(name)
      if (!user || password === '' || password.length > LONGEST_PASSWORD) throw failed()
      return comesIn(from, user, () => holderOf(from, user, password))
    },

    /** By a scramble of a password that was right not long ago; null: it has to be the password itself. */
    async signInByScramble(
      from: ProgramFrom,
      { name, ...scramble }: Scramble & { readonly name: string },
    ): Promise<SignedInProgram | null> {
      const user = readProgramUser(name)
      const place = user && placeOf(from, user)
      const before = place && proven.takeScramble(place, scramble)
      if (!before) return null
      const holder = await current(before.userId, before.passwordHash)
      if (holder) return comesIn(from, user, async () => holder)
      proven.end(place)
      return null
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
