import { IDENTITY_MESSAGES } from '@boathouse/contract'
import type { Transaction } from 'kysely'
import type { Actor, Caller } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Schema } from '../../store/schema.ts'
import { userAuthor } from '../audit/author.ts'
import { recordAudit } from '../audit/record.ts'
import type { SsoRow } from './store.ts'
import { type ConnectionParts, type Connected, unlessTaken, createConfirmations } from './confirmations.ts'

/**
 * Whom an issuer calls by which subject. An issuer is chosen by an administrator of security, who is above nobody by
 * that: only an act of the user connects them.
 */
export function createConnections(parts: ConnectionParts) {
  const { store, transaction, users, mails, clock } = parts

  /** Only with the settings that it was started with, which are locked until the transaction ends. */
  async function connect(trx: Transaction<Schema>, row: SsoRow, { userId, subject, by }: Connected) {
    const now = await store.lockSettings(trx, row.account_id)
    if (!now?.enabled || now.issuer !== row.issuer || now.client_id !== row.client_id)
      throw new AppError('SsoFailed', IDENTITY_MESSAGES.ssoOver)
    const { account_id: accountId, issuer } = row
    await store.bind(trx, { accountId, userId, issuer, subject, at: clock.now() })
    const person = await users.withId(userId)
    if (person?.email)
      await mails.write(trx, {
        to: person.email,
        accountId,
        kind: 'ssoConnected',
        details: { accountId, user: person.user, issuer },
      })
    await recordAudit(trx, {
      accountId,
      at: clock.now(),
      by,
      action: 'sso.connect',
      object: { type: 'user', id: userId, name: person?.user ?? '' },
      before: null,
      after: { issuer },
    })
  }

  return {
    ...createConfirmations(parts, connect),

    /** Of somebody who is signed in and has shown their password. Replaces what they were connected with. */
    async finishOwn(from: Caller & { readonly actor: Actor }, row: SsoRow, subject: string): Promise<void> {
      const { userId } = from.actor
      await unlessTaken(() =>
        transaction(async (trx) => {
          await store.unbind(trx, userId)
          await connect(trx, row, { userId, subject, by: userAuthor(from) })
        }),
      )
    },

    async connection({ accountId, userId }: Actor) {
      const row = await store.settings(accountId)
      const bound = await store.boundAs(userId)
      return {
        issuer: row?.enabled ? row.issuer : null,
        connectedAt: row?.enabled ? (bound?.bound_at.toISOString() ?? null) : null,
      }
    },

    async disconnect(from: Caller & { readonly actor: Actor }): Promise<void> {
      const { accountId, userId, user } = from.actor
      if (!(await users.withId(userId))?.hasPassword)
        throw new AppError('Conflict', IDENTITY_MESSAGES.ssoNoPassword)
      await transaction(async (trx) => {
        const ended = await store.unbind(trx, userId)
        if (!ended) return
        await recordAudit(trx, {
          accountId,
          at: clock.now(),
          by: userAuthor(from),
          action: 'sso.disconnect',
          object: { type: 'user', id: userId, name: user },
          before: { issuer: ended.issuer },
          after: null,
        })
      })
    },
  }
}
