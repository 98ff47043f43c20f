import { randomUUID } from 'node:crypto'
import {
  FIREWALL_MESSAGES,
  type FirewallRule,
  type FirewallRuleType,
  type FirewallTrial,
  LIMITS,
  plainAddress,
  readRanges,
} from '@boathouse/contract'
import type { Transaction } from 'kysely'
import { AppError } from '../../kernel/app-error.ts'
import { addressParts } from '../../kernel/client-address.ts'
import type { Schema } from '../../store/schema.ts'
import { OPERATOR, userAuthor } from '../audit/author.ts'
import { recordAudit } from '../audit/record.ts'
import { letsIn, type Opening, openingOf } from './gate.ts'
import {
  deleteRule,
  deleteTrial,
  disableRules,
  enabledLists,
  lockRules,
  putRule,
  type RuleRow,
  rulesOf,
  trialOf,
} from './store.ts'
import { createTrials, type From, auditedRule, type TrialParts } from './trials.ts'

export interface RuleDraft {
  readonly name: string
  readonly type: FirewallRuleType
  readonly addresses: string
  readonly enabled: boolean
}

type RuleChange = { readonly [K in keyof RuleDraft]?: RuleDraft[K] | undefined }

export interface FirewallParts extends Omit<TrialParts, 'publish'> {
  /** The allowed addresses have changed. */
  readonly onChanged: (accountId: string, letsIn: (address: string) => boolean) => void
}

/** A rule before and after a change; null: it does not exist. `rule` is the existing one. */
interface Step {
  readonly before: RuleRow | null
  readonly after: RuleRow | null
  readonly rule: RuleRow
}

const shown = ({ rule_id, name, type, addresses, enabled }: RuleRow): FirewallRule => ({
  ruleId: rule_id,
  name,
  type: type as FirewallRuleType,
  addresses,
  enabled,
})

/** The form accepts a prefix of up to 39; those above 32 do not exist. */
function requireRanges(addresses: string): void {
  if (readRanges(addresses) === null)
    throw new AppError('BadInput', `addresses: ${FIREWALL_MESSAGES.addresses}`)
}

function find(rules: readonly RuleRow[], ruleId: string): RuleRow {
  const found = rules.find(({ rule_id }) => rule_id === ruleId)
  if (!found) throw new AppError('NotFound', 'There is no such rule. It may have been deleted.')
  return found
}

async function requireNoTrial(trx: Transaction<Schema>, accountId: string): Promise<void> {
  const waiting = await trialOf(trx, accountId)
  if (waiting)
    throw new AppError(
      'Conflict',
      `A change of ${waiting.user_name} is waiting for confirmation. Confirm or undo it first.`,
    )
}

/** A name of its own, and room for one more. */
function requireRoom(rules: readonly RuleRow[], { before, after }: Step): void {
  if (!after) return
  const isTaken = rules.some(
    ({ name, rule_id }) => rule_id !== after.rule_id && name.toLowerCase() === after.name.toLowerCase(),
  )
  if (isTaken) throw new AppError('NameTaken', 'A rule with this name already exists. Choose another name.')
  if (!before && rules.length >= LIMITS.firewallRulesPerAccount)
    throw new AppError(
      'LimitReached',
      `An account has at most ${LIMITS.firewallRulesPerAccount} rules. Delete one, or put more addresses into one.`,
    )
}

/**
 * The addresses that have access to an account: the rules, and the trial that keeps their author from locking
 * themselves out.
 */
export function createFirewall({ db, transaction, clock, onChanged }: FirewallParts) {
  const publish = (accountId: string, opening: Opening): void =>
    onChanged(accountId, (address) => letsIn(opening, address))
  const trials = createTrials({ db, transaction, clock, publish })

  /** Answers the trial of the change; null when its author still has access. */
  async function change(
    from: From,
    action: 'create' | 'update' | 'delete',
    stepOf: (rules: readonly RuleRow[]) => Step,
  ): Promise<FirewallTrial | null> {
    const { accountId } = from.actor
    const { opening, trial } = await transaction(async (trx) => {
      await lockRules(trx, accountId)
      await requireNoTrial(trx, accountId)
      const rules = await rulesOf(trx, accountId)
      const step = stepOf(rules)
      const { before, after, rule } = step
      requireRoom(rules, step)
      if (after) await putRule(trx, after)
      else await deleteRule(trx, rule.rule_id)
      const opening = openingOf(await enabledLists(trx, accountId))
      const trial = letsIn(opening, from.clientIp) ? null : await trials.begin(trx, from, step)
      await recordAudit(trx, {
        accountId,
        at: clock.now(),
        by: userAuthor(from),
        action: `firewall.${action}`,
        object: { type: 'firewall rule', id: rule.rule_id, name: rule.name },
        before: auditedRule(before),
        after: after && { ...auditedRule(after), ...(trial ? { onTrial: true } : {}) },
      })
      return { opening, trial }
    })
    publish(accountId, opening)
    return trial
  }

  return {
    confirm: trials.confirm,
    takeBackNow: trials.takeBackNow,
    takeBackDue: trials.takeBackDue,

    async rules({ actor: { accountId }, clientIp }: From) {
      const [rules, trial] = await Promise.all([rulesOf(db, accountId), trials.of(accountId)])
      const { ip, endpoint } = addressParts(clientIp)
      return {
        clientIp: plainAddress(ip ?? ''),
        privateEndpoint: endpoint,
        rules: rules.map(shown),
        trial,
      }
    },

    async create(from: From, draft: RuleDraft) {
      requireRanges(draft.addresses)
      const ruleId = randomUUID()
      const { accountId } = from.actor
      const after = { ...draft, rule_id: ruleId, account_id: accountId, created_at: clock.now() }
      return { ruleId, trial: await change(from, 'create', () => ({ before: null, after, rule: after })) }
    },

    async update(from: From, ruleId: string, { name, type, addresses, enabled }: RuleChange) {
      if (addresses !== undefined) requireRanges(addresses)
      return change(from, 'update', (rules) => {
        const before = find(rules, ruleId)
        const after = {
          ...before,
          name: name ?? before.name,
          type: type ?? before.type,
          addresses: addresses ?? before.addresses,
          enabled: enabled ?? before.enabled,
        }
        return { before, after, rule: after }
      })
    },

    delete: (from: From, ruleId: string) =>
      change(from, 'delete', (rules) => {
        const before = find(rules, ruleId)
        return { before, after: null, rule: before }
      }),

    /** For the operator, when an account has shut itself out: the rules stay, and none is enabled. */
    async switchOff(accountId: string): Promise<number> {
      const disabled = await transaction(async (trx) => {
        await lockRules(trx, accountId)
        const enabled = (await rulesOf(trx, accountId)).filter((rule) => rule.enabled)
        await deleteTrial(trx, accountId)
        if (enabled.length === 0) return 0
        await disableRules(trx, accountId)
        await recordAudit(trx, {
          accountId,
          at: clock.now(),
          by: OPERATOR,
          action: 'firewall.switchOff',
          object: { type: 'account', id: accountId },
          before: { enabled: enabled.map(({ name }) => name) },
          after: { enabled: [] },
        })
        return enabled.length
      })
      publish(accountId, null)
      return disabled
    },

    list: async (accountId: string) => (await rulesOf(db, accountId)).map(shown),
  }
}

export type Firewall = ReturnType<typeof createFirewall>
