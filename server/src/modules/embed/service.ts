import { randomUUID } from 'node:crypto'
import { type Embed, EMBED_MESSAGES, type embed, type Input, LIMITS, type Output } from '@boathouse/contract'
import type { Transaction } from 'kysely'
import type { Actor, Caller } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Schema } from '../../store/schema.ts'
import { userAuthor } from '../audit/author.ts'
import { type AuditEvent, recordAudit } from '../audit/record.ts'
import type { Dashboards } from '../dashboard/service.ts'
import { hashOfEmbedKey, newEmbedKey } from './embed-key.ts'
import { createOpening, isOver, type OpeningParts } from './opening.ts'
import type { EmbedRow, EmbedStore } from './store.ts'

export interface EmbedParts extends OpeningParts {
  readonly store: EmbedStore
  readonly dashboards: Pick<Dashboards, 'opened' | 'own'>
  readonly transaction: <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>
}

type From = Caller & { readonly actor: Actor }

const noSuchLink = () => new AppError('NotFound', 'There is no such link. It may have been revoked.')

const presented = (row: EmbedRow, now: Date): Embed => ({
  embedId: row.embed_id,
  dashboardId: row.dashboard_id,
  origins: row.origins,
  expiresAt: row.expires_at?.toISOString() ?? null,
  isExpired: isOver(row, now),
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
})

const audited = ({ origins, expires_at }: EmbedRow) => ({
  origins: origins.length === 0 ? 'none, as a link alone' : origins,
  expiresAt: expires_at?.toISOString() ?? 'never',
})

function requireRoom({ of_account, of_dashboard }: { of_account: number; of_dashboard: number }): void {
  const { embedsPerDashboard, embedsPerAccount } = LIMITS
  if (of_dashboard >= embedsPerDashboard)
    throw new AppError(
      'LimitReached',
      `A dashboard has at most ${embedsPerDashboard} embed links. Revoke one that is not used.`,
    )
  if (of_account >= embedsPerAccount)
    throw new AppError(
      'LimitReached',
      `An account has at most ${embedsPerAccount} embed links. Revoke some that are not used.`,
    )
}

function expiryOf(expiresAt: string | null, now: Date): Date | null {
  if (expiresAt === null) return null
  const until = new Date(expiresAt)
  if (until <= now) throw new AppError('BadInput', 'expiresAt: This time has passed. Choose a later one.')
  return until
}

/** Links by which people without a sign-in see a dashboard. */
export function createEmbeds(parts: EmbedParts) {
  const { store, dashboards, transaction, clock } = parts

  const note = (
    trx: Transaction<Schema>,
    from: From,
    event: Pick<AuditEvent, 'action' | 'object' | 'before' | 'after'>,
  ) => recordAudit(trx, { accountId: from.actor.accountId, at: clock.now(), by: userAuthor(from), ...event })

  return {
    ...createOpening(parts),

    async list(actor: Actor, dashboardId: string): Promise<Output<typeof embed.list>> {
      await dashboards.own(actor, dashboardId)
      const [isAllowed, rows] = await Promise.all([
        store.isAllowed(actor.accountId),
        store.ofDashboard(dashboardId),
      ])
      return { isAllowed, embeds: rows.map((row) => presented(row, clock.now())) }
    },

    async listAll({ accountId }: Actor): Promise<Output<typeof embed.listAll>> {
      const [isAllowed, rows] = await Promise.all([store.isAllowed(accountId), store.ofAccount(accountId)])
      const embeds = rows.map((row) => ({
        ...presented(row, clock.now()),
        dashboard: row.dashboard,
        owner: row.owner,
      }))
      return { isAllowed, embeds }
    },

    async create(from: From, draft: Input<typeof embed.create>): Promise<Output<typeof embed.create>> {
      const { accountId } = from.actor
      const { dashboardId, name, runsAs } = await dashboards.own(from.actor, draft.dashboardId)
      if (runsAs !== 'owner')
        throw new AppError(
          'BadInput',
          'Only a dashboard that runs as you can be embedded. Change that under ‘Share and schedule’.',
        )
      const now = clock.now()
      const key = newEmbedKey()
      const row = await transaction(async (trx) => {
        if (!(await store.isAllowed(accountId, trx))) throw new AppError('NoPermission', EMBED_MESSAGES.off)
        requireRoom(await store.countAlone(trx, accountId, dashboardId))
        const made = await store.insert(trx, {
          embed_id: randomUUID(),
          dashboard_id: dashboardId,
          account_id: accountId,
          key_hash: hashOfEmbedKey(key),
          origins: [...new Set(draft.origins)],
          expires_at: expiryOf(draft.expiresAt, now),
          created_at: now,
        })
        const object = { type: 'embed link', id: made.embed_id, name }
        await note(trx, from, { action: 'embed.create', object, before: null, after: audited(made) })
        return made
      })
      return { embed: presented(row, now), path: `/embed/${row.embed_id}#${key}` }
    },

    async revoke(from: From, embedId: string): Promise<void> {
      const { accountId, userId, activeRoles } = from.actor
      const found = await store.findNamed(accountId, embedId)
      if (!found || (found.user_id !== userId && !activeRoles.includes('security_admin'))) throw noSuchLink()
      await transaction(async (trx) => {
        if (!(await store.delete(trx, embedId))) throw noSuchLink()
        const object = { type: 'embed link', id: embedId, name: found.dashboard }
        await note(trx, from, { action: 'embed.revoke', object, before: audited(found), after: null })
      })
    },

    changeSettings: (from: From, isAllowed: boolean): Promise<void> =>
      transaction(async (trx) => {
        const { accountId } = from.actor
        const isChanged = isAllowed
          ? await store.allow(trx, accountId, clock.now())
          : await store.forbid(trx, accountId)
        if (!isChanged) return
        await note(trx, from, {
          action: isAllowed ? 'embed.allow' : 'embed.forbid',
          object: { type: 'account', id: accountId },
          before: { isAllowed: !isAllowed },
          after: { isAllowed },
        })
      }),
  }
}

export type Embeds = ReturnType<typeof createEmbeds>
