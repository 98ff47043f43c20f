import { randomUUID } from 'node:crypto'
import type { RunDelivery } from '@boathouse/contract'
import type { Transaction } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Schema } from '../../store/schema.ts'
import { requireAllowed } from './rule-draft.ts'
import { placeOfSecret, type RuleParts } from './rules.ts'
import { createScheduleRuleStore } from './schedule-rule-store.ts'
import { newWebhookSecret } from './signature.ts'

interface ScheduleRuleDraft {
  readonly scheduleId: string
  /** Of its query. */
  readonly name: string
  /** Who is notified beside the owner. */
  readonly users: readonly string[]
  /** Empty: no webhook. */
  readonly url: string
}

/** Who is notified of what happens to a schedule: its owner, the users that they name, and a webhook. */
export function createScheduleRules({ db, sender, sealer, clock }: RuleParts) {
  const store = createScheduleRuleStore(db)

  async function idsOf(trx: Transaction<Schema>, { accountId, userId }: Actor, names: readonly string[]) {
    const found = await store.usersNamed(trx, accountId, names)
    const missing = names.find((one) => !found.some(({ name }) => name.toLowerCase() === one.toLowerCase()))
    if (missing !== undefined) throw new AppError('BadInput', `There is no user ${missing} in this account.`)
    return [...new Set([userId, ...found.map(({ user_id }) => user_id)])]
  }

  /** As for every rule with a webhook: what is sent leaves the account. */
  function requireWebhook({ activeRoles }: Actor, url: string): void {
    if (!activeRoles.includes('account_admin'))
      throw new AppError(
        'NoPermission',
        'Only an account administrator can send to a webhook. Leave it empty, or ask one to create an alert rule.',
      )
    requireAllowed(sender, url)
  }

  return {
    async of(scheduleIds: readonly string[]) {
      const rows = await store.of(scheduleIds)
      return new Map(
        rows.map(({ schedule_id, users, url }) => [schedule_id ?? '', { users, url: url ?? '' }] as const),
      )
    },

    /** What became of what their runs sent to a webhook, by run. */
    async deliveriesOf(runIds: readonly string[]): Promise<ReadonlyMap<string, RunDelivery>> {
      const rows = await store.deliveriesOf(runIds)
      return new Map(
        rows.map((row) => [
          row.run_id ?? '',
          {
            deliveryId: row.delivery_id,
            state: row.state as RunDelivery['state'],
            attempts: row.attempts,
            nextAttemptAt: row.state === 'waiting' ? row.next_attempt_at.toISOString() : null,
            error: row.error,
          },
        ]),
      )
    },

    /** Within the change of the schedule. Returns the secret of a webhook that it did not have before. */
    async save(trx: Transaction<Schema>, owner: Actor, draft: ScheduleRuleDraft): Promise<string | null> {
      const before = await store.lock(trx, draft.scheduleId)
      const url = draft.url === '' ? null : draft.url
      const isNewUrl = url !== null && url !== before?.url
      if (isNewUrl) requireWebhook(owner, url)
      const ruleId = before?.rule_id ?? randomUUID()
      const secret = isNewUrl ? newWebhookSecret() : null
      const kept = url === null ? null : (before?.secret ?? null)
      const said = {
        name: draft.name,
        user_ids: await idsOf(trx, owner, draft.users),
        url,
        secret: secret === null ? kept : sealer.seal(secret, placeOfSecret(ruleId)),
      }
      if (before) await store.update(trx, ruleId, said)
      else
        await store.insert(trx, {
          ...said,
          rule_id: ruleId,
          schedule_id: draft.scheduleId,
          account_id: owner.accountId,
          event: 'schedule.condition',
          enabled: true,
          created_at: clock.now(),
          created_by: owner.user,
          hour_started_at: clock.now(),
        })
      return secret
    },
  }
}

export type ScheduleRules = ReturnType<typeof createScheduleRules>
