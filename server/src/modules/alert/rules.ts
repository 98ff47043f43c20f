import { randomUUID } from 'node:crypto'
import { type alert, type AlertEvent, type AlertRule, type Input, LIMITS } from '@boathouse/contract'
import type { Kysely, Transaction } from 'kysely'
import type { Actor, Caller } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Sealer } from '../../kernel/sealing.ts'
import type { WebhookSender } from '../../providers/webhook/webhooks.ts'
import { errorCode } from '../../store/error-code.ts'
import type { Schema } from '../../store/schema.ts'
import { userAuthor } from '../audit/author.ts'
import { recordAudit } from '../audit/record.ts'
import { checkedDraft, type RuleDraft } from './rule-draft.ts'
import { newWebhookSecret } from './signature.ts'
import { createRuleStore, type RuleRow, type ToldRule } from './store.ts'

type From = Caller & { readonly actor: Actor }
type Change = Input<typeof alert.update>

export interface RuleParts {
  readonly db: Kysely<Schema>
  readonly sender: Pick<WebhookSender, 'requireAllowed'>
  readonly sealer: Sealer
  readonly clock: Clock
}

const UNIQUE_VIOLATION = '23505'
const RESEALED_AT_ONCE = 500

export const placeOfSecret = (ruleId: string): string => `webhook of alert rule ${ruleId}`

const presented = (row: ToldRule): AlertRule => ({
  ruleId: row.rule_id,
  name: row.name,
  event: row.event as AlertEvent,
  warehouseId: row.warehouse_id,
  warehouse: row.warehouse,
  ownOnly: row.of_user_id !== null,
  users: row.users,
  url: row.url ?? '',
  enabled: row.enabled,
  createdAt: row.created_at.toISOString(),
  createdBy: row.created_by,
})

/** What the audit log says of a rule. Receivers have keys in their addresses, so that only the host is recorded. */
const audited = ({ event, warehouse_id, of_user_id, user_ids, url, enabled }: RuleRow) => ({
  event,
  warehouse: warehouse_id ?? 'all',
  ownOnly: of_user_id !== null,
  users: user_ids,
  webhook: url === null ? 'none' : new URL(url).host,
  enabled,
})

const noSuchRule = () => new AppError('NotFound', 'There is no such alert rule. It may have been deleted.')

async function orTaken<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (errorCode(error) === UNIQUE_VIOLATION)
      throw new AppError('NameTaken', `There is an alert rule ${name} already.`, { cause: error })
    throw error
  }
}

/** Rules of an account: which event, and who is notified of it. */
export function createAlertRules({ db, sender, sealer, clock }: RuleParts) {
  const store = createRuleStore(db)

  const record = (
    trx: Transaction<Schema>,
    from: From,
    { before, after }: { before: RuleRow | null; after: RuleRow | null },
  ) => {
    const of = after ?? before
    const verb = before === null ? 'create' : after === null ? 'delete' : 'update'
    return recordAudit(trx, {
      accountId: from.actor.accountId,
      at: clock.now(),
      by: userAuthor(from),
      action: `alert.${verb}`,
      object: { type: 'alert rule', id: of?.rule_id ?? '', name: of?.name ?? '' },
      before: before && audited(before),
      after: after && audited(after),
    })
  }

  async function find(accountId: string, ruleId: string, on: Kysely<Schema> = db): Promise<ToldRule> {
    const row = await store.find(accountId, ruleId, on)
    if (!row) throw noSuchRule()
    return row
  }

  async function locked(trx: Transaction<Schema>, accountId: string, ruleId: string): Promise<RuleRow> {
    const row = await store.lock(trx, accountId, ruleId)
    if (!row) throw noSuchRule()
    return row
  }

  const insert = (from: From, draft: RuleDraft) =>
    db.transaction().execute(async (trx) => {
      const { accountId, user } = from.actor
      if ((await store.countAlone(trx, accountId)) >= LIMITS.alertRulesPerAccount)
        throw new AppError(
          'LimitReached',
          `The account has ${LIMITS.alertRulesPerAccount} alert rules, which is the maximum. Delete one that is not used.`,
        )
      const said = await checkedDraft({ store, sender }, trx, { of: from.actor, draft })
      const ruleId = randomUUID()
      const secret = said.url === null ? null : newWebhookSecret()
      const now = clock.now()
      await store.insert(trx, {
        ...said,
        rule_id: ruleId,
        account_id: accountId,
        secret: secret === null ? null : sealer.seal(secret, placeOfSecret(ruleId)),
        created_at: now,
        created_by: user,
        hour_started_at: now,
      })
      const row = await find(accountId, ruleId, trx)
      await record(trx, from, { before: null, after: row })
      return { rule: presented(row), secret }
    })

  const change = (from: From, { ruleId, newSecret, ...draft }: Change) =>
    db.transaction().execute(async (trx) => {
      const { accountId } = from.actor
      const before = await locked(trx, accountId, ruleId)
      const said = await checkedDraft({ store, sender }, trx, { of: from.actor, draft })
      // What is narrowed to somebody's own stays theirs when somebody else changes the rule.
      const ofUser = draft.ownOnly ? (before.of_user_id ?? from.actor.userId) : null
      const isFresh = said.url !== null && (before.secret === null || newSecret)
      const secret = isFresh ? newWebhookSecret() : null
      const kept = said.url === null ? null : before.secret
      await store.update(trx, ruleId, {
        ...said,
        of_user_id: ofUser,
        secret: secret === null ? kept : sealer.seal(secret, placeOfSecret(ruleId)),
      })
      const row = await find(accountId, ruleId, trx)
      await record(trx, from, { before, after: row })
      return { rule: presented(row), secret }
    })

  return {
    find,

    list: async ({ accountId }: Actor): Promise<AlertRule[]> => (await store.list(accountId)).map(presented),

    create: (from: From, draft: RuleDraft) => orTaken(draft.name, () => insert(from, draft)),

    update: (from: From, draft: Change) => orTaken(draft.name, () => change(from, draft)),

    delete: (from: From, ruleId: string): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const before = await locked(trx, from.actor.accountId, ruleId)
        await store.delete(trx, ruleId)
        await record(trx, from, { before, after: null })
      }),

    /** With the newest key, all that another one has sealed. */
    async reseal(): Promise<void> {
      for (;;) {
        const stale = await store.sealedByOthers(sealer.newestPrefix, RESEALED_AT_ONCE)
        for (const { rule_id: ruleId, secret } of stale) {
          const place = placeOfSecret(ruleId)
          if (secret !== null)
            await store.reseal(ruleId, secret, sealer.seal(sealer.open(secret, place), place))
        }
        if (stale.length < RESEALED_AT_ONCE) return
      }
    },
  }
}
