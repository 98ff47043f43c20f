import { MESSAGES, type SignInDoor } from '@boathouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { createSharedReads } from '../../kernel/shared-reads.ts'
import { addressBlock } from '../attempt/address-block.ts'
import type { ProgramUser } from './program-name.ts'
import { createPasswordProof, type PasswordProofParts } from './prove-password.ts'
import { createProvenPasswords, type Scramble, twiceHashedOf } from './proven-passwords.ts'
import type { Identity, UserStore } from './store.ts'

export interface PasswordHolderParts extends PasswordProofParts {
  readonly store: Pick<UserStore, 'findByName' | 'findById' | 'regionElsewhere'>
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

/** Somebody who has proved to have this password. */
export type Holder = Identity & { readonly password_hash: string }

/** Between the beginnings of two lookups of a user, while sign-ins wait for them. */
const LOOKS_EVERY_MS = 10

const failed = () => new AppError('LoginFailed', MESSAGES.loginFailed)

interface Proving {
  readonly from: ProgramFrom
  readonly user: ProgramUser
  readonly password: string
  readonly place: string
}

/** A user at an address. */
const placeOf = ({ clientIp }: ProgramFrom, { accountId, username }: ProgramUser): string =>
  [addressBlock(clientIp), accountId, username.toLowerCase()].join(' ')

/** Several that share one attempt are refused each for themselves, and each is listed. */
const sameAgain = (error: unknown): unknown =>
  error instanceof AppError ? new AppError(error.code, error.message, { cause: error }) : error

/** Who has which password, as was proved just now or not long ago. */
export function createPasswordHolders(parts: PasswordHolderParts) {
  const { store, clock, mostKnown } = parts
  const provePassword = createPasswordProof(parts)
  const proven = createProvenPasswords({ clock, ...(mostKnown !== undefined && { most: mostKnown }) })
  /** A pool opens many connections at once: the same password for the same user at one address is hashed once. */
  const proving = new Map<string, Promise<Holder>>()

  /** A program that sends a thousand small loads each second is looked up a hundred times. */
  const findById = createSharedReads((userId) => store.findById(userId), LOOKS_EVERY_MS)

  /** As they are now, unless they are gone or have another password by now. */
  async function current(userId: string, passwordHash: string | null): Promise<Holder | null> {
    const row = await findById(userId)
    const isSame = passwordHash !== null && row?.password_hash === passwordHash
    return isSame ? { ...row, password_hash: passwordHash } : null
  }

  async function prove(from: ProgramFrom, user: ProgramUser, password: string): Promise<Holder> {
    const row = await provePassword({ clientIp: from.clientIp, ...user, password })
    const now = await current(row.user_id, row.password_hash)
    if (!now) throw failed()
    return now
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

  return {
    current,

    async byPassword(from: ProgramFrom, user: ProgramUser, password: string): Promise<Holder> {
      const place = placeOf(from, user)
      const holder = await provenHolder({ from, user, password, place })
      if (from.door === 'mysql') proven.allowScramble(place, twiceHashedOf(password))
      return holder
    },

    /** Null: it has to be the password itself. */
    async byScramble(from: ProgramFrom, user: ProgramUser, scramble: Scramble): Promise<Holder | null> {
      const place = placeOf(from, user)
      const before = proven.takeScramble(place, scramble)
      const holder = before && (await current(before.userId, before.passwordHash))
      if (before && !holder) proven.end(place)
      return holder
    },
  }
}
