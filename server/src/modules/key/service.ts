import { type ApiKey, type key, type Input, type KeyDoor, LIMITS } from '@boathouse/contract'
import type { Kysely, Transaction } from 'kysely'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Events } from '../../kernel/events.ts'
import { fullOf, type Held } from '../../kernel/share.ts'
import { errorCode } from '../../store/error-code.ts'
import type { Schema } from '../../store/schema.ts'
import { type AuditEvent, recordAudit } from '../audit/record.ts'
import { twiceHashedOf } from '../user/proven-passwords.ts'
import { isOver } from './key-rules.ts'
import { createKeepers, type Keeper, type KeeperParts, type Owner } from './owners.ts'
import { newKeyId, newSecret } from './secret.ts'
import { createKeyStore, type KeyRow } from './store.ts'

export interface KeyParts extends KeeperParts {
  readonly db: Kysely<Schema>
  readonly transaction: <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>
  readonly events: Pick<Events, 'emit'>
  readonly clock: Clock
}

export type KeyDraft = Omit<Input<typeof key.create>, 'user'>

/** Its secret is nowhere else. */
interface MadeKey {
  readonly key: ApiKey
  readonly secret: string
}

const HOUR_MS = 3_600_000
const UNIQUE_VIOLATION = '23505'
const PLACES = { mostOfAccount: LIMITS.keysPerAccount, mostOfUser: LIMITS.keysPerUser }

function requireRoom(held: Held, user: string): void {
  const full = fullOf(held, PLACES)
  if (full === null) return
  const who = full === 'user' ? `${user} has ${PLACES.mostOfUser}` : `The account has ${PLACES.mostOfAccount}`
  throw new AppError('LimitReached', `${who} API keys, which is the maximum. Revoke one that is not used.`)
}

function presented(row: KeyRow, { user, now }: { user: string; now: Date }): ApiKey {
  const { last_used_at: at, last_used_ip: clientIp, former_until: former } = row
  return {
    keyId: row.key_id,
    user,
    name: row.name,
    roles: row.roles,
    doors: row.doors as KeyDoor[],
    addresses: row.addresses,
    expiresAt: row.expires_at?.toISOString() ?? null,
    isExpired: isOver(row.expires_at, now),
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by,
    rotatedAt: row.rotated_at?.toISOString() ?? null,
    formerUntil: former && former > now ? former.toISOString() : null,
    lastUse: at && {
      at: at.toISOString(),
      clientIp: clientIp ?? '',
      door: row.last_used_door as KeyDoor,
      program: row.last_used_program ?? '',
    },
  }
}

/** As the account calls them; null: none were chosen, and the key has all of its user's. */
function chosenRoles(chosen: readonly string[], { user, heldRoles }: Owner): string[] | null {
  const roles = chosen.map((role) => {
    const held = heldRoles.find((one) => one.toLowerCase() === role.toLowerCase())
    if (held === undefined)
      throw new AppError('BadInput', `roles: ${user} does not have the role ${role}, so a key cannot use it.`)
    return held
  })
  return roles.length === 0 ? null : [...new Set(roles)].sort()
}

function expiryOf(expiresAt: string | null, now: Date): Date | null {
  if (expiresAt === null) return null
  const until = new Date(expiresAt)
  if (until <= now) throw new AppError('BadInput', 'expiresAt: This time has passed. Choose a later one.')
  return until
}

/** What the audit log says of a key. */
const audited = ({ roles, doors, addresses, expires_at }: KeyRow, { user }: Owner) => ({
  user,
  roles: roles ?? 'all of the user',
  doors,
  addresses: addresses === '' ? 'all' : addresses,
  expiresAt: expires_at?.toISOString() ?? 'never',
})

/** API keys of people and of service users. */
export function createKeys({ db, transaction, events, clock, ...parts }: KeyParts) {
  const store = createKeyStore(db)

  const record = (
    trx: Transaction<Schema>,
    { keeper, owner, row }: { keeper: Keeper; owner: Owner; row: KeyRow },
    event: Pick<AuditEvent, 'action' | 'before' | 'after'>,
  ) =>
    recordAudit(trx, {
      accountId: owner.accountId,
      at: clock.now(),
      by: keeper.by,
      object: { type: 'API key', id: row.key_id, name: row.name },
      ...event,
    })

  async function locked(trx: Transaction<Schema>, { userId }: Owner, keyId: string): Promise<KeyRow> {
    const row = await store.lock(trx, userId, keyId)
    if (!row) throw new AppError('NotFound', 'There is no such API key. It may have been revoked.')
    return row
  }

  async function insert(trx: Transaction<Schema>, keeper: Keeper, draft: KeyDraft): Promise<MadeKey> {
    const now = clock.now()
    const owner = await keeper.owner(trx, 'secret')
    const { of_account, of_user } = await store.countAlone(trx, owner.accountId, owner.userId)
    requireRoom({ ofAccount: of_account, ofUser: of_user }, owner.user)
    const keyId = newKeyId()
    const secret = newSecret(keyId)
    const row = await store.insert(trx, {
      key_id: keyId,
      account_id: owner.accountId,
      user_id: owner.userId,
      name: draft.name,
      roles: chosenRoles(draft.roles, owner),
      doors: [...new Set(draft.doors)],
      addresses: draft.addresses,
      expires_at: expiryOf(draft.expiresAt, now),
      secret_hash: twiceHashedOf(secret),
      created_at: now,
      created_by: keeper.by.name,
    })
    await record(
      trx,
      { keeper, owner, row },
      { action: 'key.create', before: null, after: audited(row, owner) },
    )
    return { key: presented(row, { user: owner.user, now }), secret }
  }

  return {
    ...createKeepers(parts),

    async list(keeper: Keeper): Promise<ApiKey[]> {
      const { userId, user } = await keeper.owner(db, 'look')
      const now = clock.now()
      return (await store.ofUser(userId)).map((row) => presented(row, { user, now }))
    },

    async create(keeper: Keeper, draft: KeyDraft): Promise<MadeKey> {
      try {
        return await transaction((trx) => insert(trx, keeper, draft))
      } catch (error) {
        if (errorCode(error) !== UNIQUE_VIOLATION) throw error
        throw new AppError('NameTaken', `There is an API key ${draft.name} already.`, { cause: error })
      }
    },

    /** The secret before it stays valid for as long as programs need to be given the new one. */
    async rotate(
      keeper: Keeper,
      { keyId, overlapHours }: { keyId: string; overlapHours: number },
    ): Promise<MadeKey> {
      const secret = newSecret(keyId)
      const now = clock.now()
      const made = await transaction(async (trx) => {
        const owner = await keeper.owner(trx, 'secret')
        const before = await locked(trx, owner, keyId)
        if (isOver(before.expires_at, now))
          throw new AppError('Conflict', `The API key ${before.name} has expired. Create another one.`)
        const formerUntil = overlapHours > 0 ? new Date(now.getTime() + overlapHours * HOUR_MS) : null
        const row = await store.rotate(trx, before, { hash: twiceHashedOf(secret), at: now, formerUntil })
        const after = { user: owner.user, oldSecretUntil: (formerUntil ?? now).toISOString() }
        await record(trx, { keeper, owner, row }, { action: 'key.rotate', before: null, after })
        return { key: presented(row, { user: owner.user, now }), secret }
      })
      events.emit('keyChanged', { keyId })
      return made
    },

    async revoke(keeper: Keeper, keyId: string): Promise<void> {
      await transaction(async (trx) => {
        const owner = await keeper.owner(trx, 'revoke')
        const row = await locked(trx, owner, keyId)
        await store.delete(trx, keyId)
        const before = audited(row, owner)
        await record(trx, { keeper, owner, row }, { action: 'key.revoke', before, after: null })
      })
      events.emit('keyChanged', { keyId })
    },
  }
}

export type Keys = ReturnType<typeof createKeys>
