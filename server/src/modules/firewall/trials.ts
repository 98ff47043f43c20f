import { FIREWALL_MESSAGES, type FirewallTrial, LIMITS, plainAddress } from '@boathouse/contract'
import type { Kysely, Transaction } from 'kysely'
import type { Actor, Caller } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Schema } from '../../store/schema.ts'
import { type Author, SERVICE, userAuthor } from '../audit/author.ts'
import { type AuditEvent, recordAudit } from '../audit/record.ts'
import { letsIn, type Opening, openingOf } from './gate.ts'
import {
  accountsWithDueTrials,
  deleteRule,
  deleteTrial,
  enabledLists,
  insertTrial,
  lockRules,
  putRule,
  type RuleRow,
  rulesOf,
  trialOf,
  type TrialRow,
} from './store.ts'

export type From = Pick<Caller, 'clientIp'> & { readonly actor: Actor }

/** A rule that was made, changed or deleted, and what it was before; null when there was none. */
interface Changed {
  readonly rule: RuleRow
  readonly before: RuleRow | null
}

export interface TrialParts {
  readonly db: Kysely<Schema>
  readonly transaction: <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>
  readonly clock: Clock
  readonly publish: (accountId: string, opening: Opening) => void
}

const TAKEN_BACK_AT_ONCE = 100

/** A rule in the audit log. */
export const auditedRule = (row: RuleRow | null): AuditEvent['before'] =>
  row && { name: row.name, type: row.type, addresses: row.addresses, enabled: row.enabled }

const ruleOf = ({ rule_id, rule_name }: TrialRow) => ({
  type: 'firewall rule',
  id: rule_id,
  name: rule_name,
})

const noTrial = () =>
  new AppError('NotFound', 'No change of the firewall is waiting for confirmation. It may have been undone.')

/** Changes that cut off their author: they apply for a while, and are reverted unless somebody confirms them. */
export function createTrials({ db, transaction, clock, publish }: TrialParts) {
  const leftOf = ({ ends_at }: TrialRow): number => Math.max(0, ends_at.getTime() - clock.now().getTime())

  const shown = (row: TrialRow): FirewallTrial => ({
    leftMs: leftOf(row),
    ruleName: row.rule_name,
    user: row.user_name,
    clientIp: row.client_ip,
  })

  /** What a trial changed becomes again what it was. */
  async function takeBack(trx: Transaction<Schema>, trial: TrialRow, by: Author): Promise<Opening> {
    const { account_id: accountId, before } = trial
    const now = (await rulesOf(trx, accountId)).find(({ rule_id }) => rule_id === trial.rule_id) ?? null
    if (before) await putRule(trx, before)
    else await deleteRule(trx, trial.rule_id)
    await deleteTrial(trx, accountId)
    const opening = openingOf(await enabledLists(trx, accountId))
    await recordAudit(trx, {
      accountId,
      at: clock.now(),
      by,
      action: 'firewall.takeBack',
      object: ruleOf(trial),
      before: auditedRule(now),
      after: auditedRule(before),
    })
    return opening
  }

  async function takeBackIfDue(accountId: string): Promise<void> {
    const opening = await transaction(async (trx) => {
      await lockRules(trx, accountId)
      const trial = await trialOf(trx, accountId)
      return trial && leftOf(trial) === 0 ? takeBack(trx, trial, SERVICE) : undefined
    })
    if (opening !== undefined) publish(accountId, opening)
  }

  return {
    async of(accountId: string): Promise<FirewallTrial | null> {
      const row = await trialOf(db, accountId)
      return row ? shown(row) : null
    },

    /** In the transaction of the change. */
    async begin(trx: Transaction<Schema>, from: From, { rule, before }: Changed): Promise<FirewallTrial> {
      const trial = {
        account_id: from.actor.accountId,
        rule_id: rule.rule_id,
        rule_name: rule.name,
        before,
        user_name: from.actor.user,
        client_ip: plainAddress(from.clientIp),
        ends_at: new Date(clock.now().getTime() + LIMITS.firewallTrialMs),
      }
      await insertTrial(trx, trial)
      return shown(trial)
    },

    /** From an address that the change allows: a user who can do so is not locked out by it. */
    async confirm(from: From): Promise<void> {
      const { accountId } = from.actor
      await transaction(async (trx) => {
        await lockRules(trx, accountId)
        const trial = await trialOf(trx, accountId)
        if (!trial || leftOf(trial) === 0) throw noTrial()
        if (!letsIn(openingOf(await enabledLists(trx, accountId)), from.clientIp))
          throw new AppError('IpBlocked', FIREWALL_MESSAGES.blocked(plainAddress(from.clientIp)))
        await deleteTrial(trx, accountId)
        await recordAudit(trx, {
          accountId,
          at: clock.now(),
          by: userAuthor(from),
          action: 'firewall.confirm',
          object: ruleOf(trial),
          before: { onTrial: true, of: trial.user_name },
          after: { onTrial: false },
        })
      })
    },

    async takeBackNow(from: From): Promise<void> {
      const { accountId } = from.actor
      const opening = await transaction(async (trx) => {
        await lockRules(trx, accountId)
        const trial = await trialOf(trx, accountId)
        if (!trial) throw noTrial()
        return takeBack(trx, trial, userAuthor(from))
      })
      publish(accountId, opening)
    },

    /** What nobody has confirmed in time, also while no server ran. */
    async takeBackDue(): Promise<void> {
      for (const accountId of await accountsWithDueTrials(db, clock.now(), TAKEN_BACK_AT_ONCE))
        await takeBackIfDue(accountId)
    },
  }
}
