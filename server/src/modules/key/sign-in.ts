import { KEY_MESSAGES, type KeyDoor } from '@boathouse/contract'
import { type Actor, requireOpenAccount } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { BoundedMap } from '../../kernel/bounded-map.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Authority } from '../access/authority.ts'
import type { RateLimit } from '../attempt/rate-limit.ts'
import type { RequireLetIn } from '../firewall/gate.ts'
import { actorOf, type Identity } from '../user/actor-of.ts'
import type { KeyProof, ProgramFrom, SignedInProgram } from '../user/plain-sign-in.ts'
import { fitsScramble, type Scramble, twiceHashedOf } from '../user/proven-passwords.ts'
import type { SignIns } from '../user/sign-ins.ts'
import { keyActorOf } from './key-actor.ts'
import { matching, requireUsable, validHashes } from './key-rules.ts'
import { keyIdIn } from './secret.ts'
import { type KeyRow, type KeyStore, USE_WRITTEN_MS } from './store.ts'

export interface KeySignInParts {
  readonly store: Pick<KeyStore, 'find' | 'ofName' | 'used'>
  /** Who somebody is now. */
  readonly findUser: (userId: string) => Promise<Identity | undefined>
  readonly authority: Pick<Authority, 'closure'>
  readonly signIns: Pick<SignIns, 'watched' | 'cameIn'>
  readonly rateLimit: RateLimit
  readonly requireLetIn: RequireLetIn
  readonly clock: Clock
}

/** A program that comes with a key and nothing else. */
export interface KeyCredentials {
  readonly secret: string
  readonly door: KeyDoor
  readonly address: string
  /** What it says of itself. */
  readonly program?: string
}

/** As of this much of its program is written down. */
const LONGEST_PROGRAM = 256
/** Keys whose last use was written not long ago. */
const REMEMBERED = 10_000
/** Wrong keys from one address. Nobody guesses one; who tries shall not keep the database busy. */
const WRONG_KEYS = { free: 50, longestWaitMs: 10_000, pauseMs: 15 * 60_000 }

const failed = () => new AppError('LoginFailed', KEY_MESSAGES.unknown)
const ended = (name: string) =>
  new AppError('LoginRequired', `The API key ${name} was revoked or rotated, or its user was removed.`)

interface Proof {
  readonly key: KeyRow
  /** Of the secret that was used: it ends with that one, not with the key. */
  readonly hash: Buffer
}

/** Signing in with an API key, at every door for programs. */
export function createKeySignIn(parts: KeySignInParts) {
  const { store, findUser, authority, signIns, rateLimit, requireLetIn, clock } = parts
  const written = new BoundedMap<number>(REMEMBERED)

  async function noteUse({ key_id: keyId }: KeyRow, { door, clientIp, program = '' }: ProgramFrom) {
    const at = clock.now()
    const before = written.get(keyId)
    if (before !== undefined && before + USE_WRITTEN_MS > at.getTime()) return
    written.set(keyId, at.getTime(), 1)
    await store.used(keyId, { at, clientIp, door, program: program.slice(0, LONGEST_PROGRAM) })
  }

  async function requireAllowed(row: Identity, { key, from }: { key: KeyRow; from: ProgramFrom }) {
    requireUsable(key, { door: from.door, clientIp: from.clientIp, now: clock.now() })
    requireOpenAccount(row.shell_state)
    const { account_id: accountId, identity_version: version } = row
    await requireLetIn({ accountId, clientIp: from.clientIp, identityVersion: version ?? undefined })
  }

  const actorWith = (row: Identity, key: KeyRow): Promise<Actor> =>
    keyActorOf(actorOf(row, ''), key, authority)

  async function opened(row: Identity, { key, hash }: Proof, from: ProgramFrom): Promise<SignedInProgram> {
    let last = { row, key, actor: await actorWith(row, key) }
    return {
      known: last.actor,
      async now(identityVersion) {
        const { name } = key
        if (identityVersion === undefined || last.row.identity_version !== identityVersion) {
          const [row, now] = await Promise.all([findUser(last.row.user_id), store.find(key.key_id)])
          if (!row || !now) throw ended(name)
          last = { row, key: now, actor: await actorWith(row, now) }
        }
        if (!matching(last.key, hash, clock.now())) throw ended(name)
        await requireAllowed(last.row, { key: last.key, from })
        return last.actor
      },
    }
  }

  /** What is refused is listed under the key's name: who comes here has its secret. */
  async function comesIn(from: ProgramFrom, proof: Proof): Promise<SignedInProgram> {
    const { key } = proof
    const { clientIp, door, program = '' } = from
    const attempt = {
      accountId: key.account_id,
      userId: key.user_id,
      from: { clientIp, userAgent: program.slice(0, LONGEST_PROGRAM) },
      method: 'key',
      key: key.name,
      door,
    } as const
    return signIns.watched(attempt, async () => {
      const row = await findUser(key.user_id)
      if (!row) throw failed()
      await requireAllowed(row, { key, from })
      await noteUse(key, from)
      await signIns.cameIn(attempt)
      return opened(row, proof, from)
    })
  }

  /** A wrong one is counted when it is known to be wrong: a right one does not wait for guesses of others. */
  async function wrong(clientIp: string): Promise<AppError> {
    await rateLimit.reserve({
      address: clientIp,
      refusal: 'Too many wrong API keys.',
      own: rateLimit.fromAddress('API key from', clientIp, WRONG_KEYS),
    })
    return failed()
  }

  async function prove(from: ProgramFrom, secret: string): Promise<Proof> {
    const keyId = keyIdIn(secret)
    const key = keyId === null ? undefined : await store.find(keyId)
    const hash = key && matching(key, twiceHashedOf(secret), clock.now())
    if (!key || !hash) throw await wrong(from.clientIp)
    return { key, hash }
  }

  const byPassword: KeyProof = {
    isKey: (password) => keyIdIn(password) !== null,

    async signIn(from, user, secret) {
      const proof = await prove(from, secret)
      const row = await findUser(proof.key.user_id)
      const isTheirs =
        row?.account_id === user.accountId && row.user.toLowerCase() === user.username.toLowerCase()
      if (!isTheirs) throw await wrong(from.clientIp)
      return comesIn(from, proof)
    },

    /** It does not say which key it is of: the few of its user are tried. */
    async signInByScramble(from, user, scramble: Scramble) {
      const now = clock.now()
      for (const key of await store.ofName(user.accountId, user.username))
        for (const hash of validHashes(key, now))
          if (fitsScramble(scramble, hash)) return comesIn(from, { key, hash })
      return null
    },
  }

  return {
    byPassword,

    /**
     * Who has this secret. Throws LoginFailed, TooManyAttempts, LoginRequired (expired), NoPermission (another door),
     * IpBlocked or AccountFrozen.
     */
    async signIn({ secret, door, address, program = '' }: KeyCredentials): Promise<SignedInProgram> {
      const from = { door, clientIp: address, program }
      return comesIn(from, await prove(from, secret))
    },
  }
}

export type KeySignIn = ReturnType<typeof createKeySignIn>
