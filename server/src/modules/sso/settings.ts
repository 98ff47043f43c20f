import { MESSAGES } from '@boathouse/contract'
import type { Actor, Caller } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { userAuthor } from '../audit/author.ts'
import { recordAudit } from '../audit/record.ts'
import type { Ask } from './asking.ts'
import type { SsoParts } from './service.ts'
import type { SsoRow } from './store.ts'

const RESEALED_AT_ONCE = 500

export const placeOfSecret = (accountId: string): string => `client secret of ${accountId}`

export interface SettingsDraft {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret?: string | undefined
  readonly enabled: boolean
}

type Parts = Pick<SsoParts, 'store' | 'transaction' | 'issuers' | 'sealer' | 'openEndpoints' | 'clock'> & {
  readonly ask: Ask
  readonly redirectUri: () => string
  readonly clientOf: (row: SsoRow) => Parameters<SsoParts['issuers']['addressOf']>[0]
}

/** With which issuer people of an account sign in. */
export function createSsoSettings(parts: Parts) {
  const { store, transaction, issuers, sealer, openEndpoints, clock, ask, redirectUri, clientOf } = parts
  const opened = new Set(openEndpoints)

  function requireTls(issuer: string): void {
    if (issuer.startsWith('https:') || opened.has(new URL(issuer).origin)) return
    throw new AppError('BadInput', 'issuer: The address of an issuer begins with https://.')
  }

  async function secretOf(accountId: string, draft: SettingsDraft): Promise<string> {
    if (draft.clientSecret !== undefined) return sealer.seal(draft.clientSecret, placeOfSecret(accountId))
    const before = await store.settings(accountId)
    // A secret goes to the issuer it was given for, and to no other.
    if (before?.issuer === draft.issuer) return before.client_secret
    throw new AppError('BadInput', `clientSecret: ${MESSAGES.enter('client secret')}`)
  }

  return {
    async settings({ accountId }: Actor) {
      const row = await store.settings(accountId)
      const settings = row ? { issuer: row.issuer, clientId: row.client_id, enabled: row.enabled } : null
      return { settings, redirectUri: redirectUri() }
    },

    async save(from: Caller & { readonly actor: Actor }, draft: SettingsDraft): Promise<void> {
      const { accountId } = from.actor
      const { issuer, clientId, enabled } = draft
      requireTls(issuer)
      const row = {
        account_id: accountId,
        issuer,
        client_id: clientId,
        client_secret: await secretOf(accountId, draft),
        enabled,
        updated_at: clock.now(),
      }
      if (enabled) await ask(accountId, () => issuers.addressOf(clientOf(row), issuers.newChallenge()))
      await transaction(async (trx) => {
        const before = await store.lockSettings(trx, accountId)
        await store.save(trx, row)
        const isSame = before?.issuer === issuer && before.client_id === clientId
        const ended = isSame ? 0 : await store.endConnections(trx, accountId)
        await recordAudit(trx, {
          accountId,
          at: clock.now(),
          by: userAuthor(from),
          action: 'sso.save',
          object: { type: 'account', id: accountId },
          before: before
            ? { issuer: before.issuer, clientId: before.client_id, enabled: before.enabled }
            : null,
          after: {
            issuer,
            clientId,
            enabled,
            secretReplaced: draft.clientSecret !== undefined,
            connectionsEnded: ended,
          },
        })
      })
    },

    async remove(from: Caller & { readonly actor: Actor }): Promise<void> {
      const { accountId } = from.actor
      await transaction(async (trx) => {
        const before = await store.lockSettings(trx, accountId)
        if (!before) return
        await store.remove(trx, accountId)
        const ended = await store.endConnections(trx, accountId)
        await recordAudit(trx, {
          accountId,
          at: clock.now(),
          by: userAuthor(from),
          action: 'sso.delete',
          object: { type: 'account', id: accountId },
          before: { issuer: before.issuer, enabled: before.enabled, connectionsEnded: ended },
          after: null,
        })
      })
    },

    /** With the newest key, all that another one has sealed. */
    async reseal(): Promise<void> {
      for (;;) {
        const stale = await store.sealedByOthers(sealer.newestPrefix, RESEALED_AT_ONCE)
        for (const { account_id: accountId, client_secret: sealed } of stale) {
          const place = placeOfSecret(accountId)
          await store.reseal(accountId, sealed, sealer.seal(sealer.open(sealed, place), place))
        }
        if (stale.length < RESEALED_AT_ONCE) return
      }
    },
  }
}
