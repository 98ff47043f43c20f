import { randomBytes } from 'node:crypto'
import { IAM_MESSAGES, type IamRole, type iamRoleCalls, LIMITS, type Output } from '@boathouse/contract'
import type { Kysely } from 'kysely'
import type { Actor, Caller } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { OutsideRefused } from '../../kernel/outside.ts'
import type { RoleKeys, Roles } from '../../providers/sts/roles.ts'
import type { Schema } from '../../store/schema.ts'
import { userAuthor } from '../audit/author.ts'
import { recordAudit } from '../audit/record.ts'
import {
  countRoles,
  deleteRole,
  externalIdOf,
  type IamRoleRow,
  insertRole,
  isRegistered,
  rolesOf,
} from './store.ts'

type From = Caller & { readonly actor: Actor }

export interface IamRolesOptions {
  readonly db: Kysely<Schema>
  /** Null: the operator has given the service no AWS keys. */
  readonly roles: Roles | null
  readonly clock: Clock
}

/** As a catalog names it. */
interface WrittenRole {
  readonly roleArn: string
  /** Empty: that of the account. */
  readonly externalId: string
}

/** Keys are renewed this long before they expire. */
const BEFORE_END_MS = 5 * 60_000
const MOST_KNOWN = 1_000
/** How long somebody waits for AWS. */
const PATIENCE_MS = 10_000

const NO_IDENTITY =
  'this installation has no AWS keys; the operator sets BOATHOUSE_AWS_ACCESS_KEY and BOATHOUSE_AWS_SECRET_KEY'

const presented = (row: IamRoleRow): IamRole => ({
  roleArn: row.role_arn,
  createdAt: row.created_at.toISOString(),
  createdBy: row.created_by,
})

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

const keyOf = (accountId: string, roleArn: string): string => `${accountId} ${roleArn}`

/** In words; empty when it works. */
async function problemOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work()
    return ''
  } catch (error) {
    if (error instanceof OutsideRefused) return sentence(error.message)
    throw error
  }
}

/** Roles of AWS that an account has registered. Only these are ever used for it, and with its own external ID. */
export function createIamRoles({ db, roles, clock }: IamRolesOptions) {
  const known = new Map<string, Promise<RoleKeys>>()
  /** Of this process: its keys are read at the start. */
  let principal: string | null = null

  const externalId = (accountId: string): Promise<string> =>
    externalIdOf(db, accountId, `${accountId}-${randomBytes(12).toString('hex')}`)

  function remember(key: string, keys: Promise<RoleKeys>): void {
    const [oldest] = known.keys()
    if (known.size >= MOST_KNOWN && oldest !== undefined) known.delete(oldest)
    known.set(key, keys)
    keys.catch(() => {
      if (known.get(key) === keys) known.delete(key)
    })
  }

  /** Rejects with an `OutsideRefused`. */
  async function assume(accountId: string, roleArn: string): Promise<RoleKeys> {
    if (!roles) throw new OutsideRefused('refused', NO_IDENTITY)
    const asked = { roleArn, externalId: await externalId(accountId), sessionName: `boathouse-${accountId}` }
    return roles.assume(asked, AbortSignal.timeout(PATIENCE_MS))
  }

  async function requireRegistered(accountId: string, roleArn: string): Promise<void> {
    if (!(await isRegistered(db, accountId, roleArn)))
      throw new AppError('NotFound', `The IAM role ${roleArn} is not registered in this account.`)
  }

  const audited = (from: From, row: IamRoleRow, action: 'register' | 'delete') => ({
    accountId: row.account_id,
    at: clock.now(),
    by: userAuthor(from),
    action: `iam_role.${action}` as const,
    object: { type: 'iam_role', id: row.role_arn, name: row.role_arn },
    before: action === 'delete' ? presented(row) : null,
    after: action === 'register' ? presented(row) : null,
  })

  return {
    /** The keys with which a catalog of an account reads its files. Rejects with an `OutsideRefused`. */
    async keysFor(accountId: string, { roleArn, externalId: written }: WrittenRole): Promise<RoleKeys> {
      if (!(await isRegistered(db, accountId, roleArn)))
        throw new OutsideRefused('refused', `the IAM role ${roleArn} is not registered in this account`)
      const own = await externalId(accountId)
      if (written !== '' && written !== own)
        throw new OutsideRefused(
          'refused',
          `the external ID of this account is ${own}; enter that one or none`,
        )
      const key = keyOf(accountId, roleArn)
      const before = await known.get(key)?.catch(() => null)
      if (before && clock.now().getTime() < before.until - BEFORE_END_MS) return before
      const asked = assume(accountId, roleArn)
      remember(key, asked)
      return asked
    },

    async list({ accountId }: Actor): Promise<Output<typeof iamRoleCalls.iamRoles>> {
      const problem = await problemOf(async () => {
        if (!roles) throw new OutsideRefused('refused', NO_IDENTITY)
        principal ??= await roles.identity(AbortSignal.timeout(PATIENCE_MS))
      })
      const rows = await rolesOf(db, accountId)
      return { roles: rows.map(presented), externalId: await externalId(accountId), principal, problem }
    },

    async register(from: From, roleArn: string): Promise<IamRole> {
      const { accountId, user } = from.actor
      const row = { account_id: accountId, role_arn: roleArn, created_at: clock.now(), created_by: user }
      await db.transaction().execute(async (trx) => {
        const count = await countRoles(trx, accountId)
        if (!(await insertRole(trx, row))) throw new AppError('NameTaken', IAM_MESSAGES.taken)
        if (count >= LIMITS.iamRolesPerAccount) throw new AppError('LimitReached', IAM_MESSAGES.full)
        await recordAudit(trx, audited(from, row, 'register'))
      })
      return presented(row)
    },

    async delete(from: From, roleArn: string): Promise<void> {
      const { accountId } = from.actor
      await db.transaction().execute(async (trx) => {
        const row = await deleteRole(trx, accountId, roleArn)
        if (!row) throw new AppError('NotFound', `The IAM role ${roleArn} is not registered in this account.`)
        await recordAudit(trx, audited(from, row, 'delete'))
      })
      known.delete(keyOf(accountId, roleArn))
    },

    async check({ accountId }: Actor, roleArn: string): Promise<Output<typeof iamRoleCalls.checkIamRole>> {
      await requireRegistered(accountId, roleArn)
      return { problem: await problemOf(() => assume(accountId, roleArn)) }
    },
  }
}

export type IamRoles = ReturnType<typeof createIamRoles>
