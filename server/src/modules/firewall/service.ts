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
import type { Kysely, Transaction } from 'kysely'
import type { Actor, Caller } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Schema } from '../../store/schema.ts'
import { type Author, OPERATOR, SERVICE, userAuthor } from '../audit/author.ts'
import { type AuditEvent, recordAudit } from '../audit/record.ts'
import { letsIn, type Opening, openingOf } from './gate.ts'
import {
  accountsWithDueTrials,
  deleteRule,
  deleteTrial,
  disableRules,
  enabledLists,
  insertTrial,
  lockRules,
  putRule,
  type RuleRow,
  rulesOf,
  trialOf,
  type TrialRow,
} from './store.ts'

type From = Pick<Caller, 'clientIp'> & { readonly actor: Actor }

export interface RuleDraft {
  readonly name: string
  readonly type: FirewallRuleType
  readonly addresses: string
  readonly enabled: boolean
}

type RuleChange = { readonly [K in keyof RuleDraft]?: RuleDraft[K] | undefined }

export interface FirewallParts {
  readonly db: Kysely<Schema>
  readonly transaction: <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>
  readonly clock: Clock
  /** Other addresses than before are let in. */
  readonly onChanged: (accountId: string, letsIn: (address: string) => boolean) => void
}

/** A rule that becomes another one; null is none. */
interface Step {
  readonly before: RuleRow | null
  readonly after: RuleRow | null
}

const TAKEN_BACK_AT_ONCE = 100

const shown = ({ rule_id, name, type, addresses, enabled }: RuleRow): FirewallRule => ({
  ruleId: rule_id,
  name,
  type: type as FirewallRuleType,
  addresses,
  enabled,
})

const told = (row: RuleRow | null): AuditEvent['before'] =>
  row && { name: row.name, type: row.type, addresses: row.addresses, enabled: row.enabled }

const noRule = () => new AppError('NotFound', 'There is no such rule. It may have been deleted.')
const noTrial = () =>
  new AppError('NotFound', 'No change of the firewall waits to be confirmed. It may have been taken back.')

/** SEC-09, SEC-11: the form takes a prefix of up to 39; those above 32 do not exist. */
function requireRanges(addresses: string): void {
  if (readRanges(addresses) === null)
    throw new AppError('BadInput', `addresses: ${FIREWALL_MESSAGES.addresses}`)
}

/** Names, room and a change that waits are looked at before anything is written. */
async function requirePossible(trx: Transaction<Schema>, rules: readonly RuleRow[], { before, after }: Step) {
  const accountId = (before ?? after)?.account_id ?? ''
  const waiting = await trialOf(trx, accountId)
  if (waiting)
    throw new AppError(
      'Conflict',
      `A change of ${waiting.user_name} waits to be confirmed. Confirm it or take it back first.`,
    )
  if (!after) return
  const isTaken = rules.some(
    ({ name, rule_id }) => rule_id !== after.rule_id && name.toLowerCase() === after.name.toLowerCase(),
  )
  if (isTaken) throw new AppError('NameTaken', 'A rule with this name exists already. Choose another name.')
  if (!before && rules.length >= LIMITS.firewallRulesPerAccount)
    throw new AppError(
      'LimitReached',
      `An account has at most ${LIMITS.firewallRulesPerAccount} rules. Delete one, or put more addresses into one.`,
    )
}

/** From where people are let in to an account: the rules, and what keeps who changes them from being shut out. */
export function createFirewall({ db, transaction, clock, onChanged }: FirewallParts) {
  const leftOf = ({ ends_at }: Pick<TrialRow, 'ends_at'>): number =>
    Math.max(0, ends_at.getTime() - clock.now().getTime())

  const shownTrial = (row: TrialRow): FirewallTrial => ({
    leftMs: leftOf(row),
    ruleName: row.rule_name,
    user: row.user_name,
    clientIp: row.client_ip,
  })

  const tell = (accountId: string, opening: Opening): void =>
    onChanged(accountId, (address) => letsIn(opening, address))

  const record = (
    trx: Transaction<Schema>,
    by: Author,
    change: Pick<AuditEvent, 'accountId' | 'action' | 'object' | 'before' | 'after'>,
  ) => recordAudit(trx, { ...change, at: clock.now(), by })

  /** Answers the trial that the change is on, null when its author is let in as before. */
  async function change(
    from: From,
    action: 'create' | 'update' | 'delete',
    stepOf: (rules: readonly RuleRow[]) => Step,
  ): Promise<FirewallTrial | null> {
    const { accountId, user } = from.actor
    const { opening, trial } = await transaction(async (trx) => {
      await lockRules(trx, accountId)
      const rules = await rulesOf(trx, accountId)
      const step = stepOf(rules)
      await requirePossible(trx, rules, step)
      const { before, after } = step
      const rule = after ?? before
      if (!rule) throw noRule()
      if (after) await putRule(trx, after)
      else await deleteRule(trx, rule.rule_id)
      const opening = openingOf(await enabledLists(trx, accountId))
      const clientIp = plainAddress(from.clientIp)
      const trial: TrialRow | null = letsIn(opening, clientIp)
        ? null
        : {
            account_id: accountId,
            rule_id: rule.rule_id,
            rule_name: rule.name,
            before,
            user_name: user,
            client_ip: clientIp,
            ends_at: new Date(clock.now().getTime() + LIMITS.firewallTrialMs),
          }
      if (trial) await insertTrial(trx, trial)
      await record(trx, userAuthor(from), {
        accountId,
        action: `firewall.${action}`,
        object: { type: 'firewall rule', id: rule.rule_id, name: rule.name },
        before: told(before),
        after: after && { ...told(after), ...(trial ? { onTrial: true } : {}) },
      })
      return { opening, trial }
    })
    tell(accountId, opening)
    return trial && shownTrial(trial)
  }

  /** What a trial changed becomes again what it was. */
  async function takeBack(trx: Transaction<Schema>, trial: TrialRow, by: Author): Promise<Opening> {
    const { account_id: accountId, before } = trial
    const now = (await rulesOf(trx, accountId)).find(({ rule_id }) => rule_id === trial.rule_id) ?? null
    if (before) await putRule(trx, before)
    else await deleteRule(trx, trial.rule_id)
    await deleteTrial(trx, accountId)
    await record(trx, by, {
      accountId,
      action: 'firewall.takeBack',
      object: { type: 'firewall rule', id: trial.rule_id, name: trial.rule_name },
      before: told(now),
      after: told(before),
    })
    return openingOf(await enabledLists(trx, accountId))
  }

  async function takeBackIfDue(accountId: string): Promise<void> {
    const opening = await transaction(async (trx) => {
      await lockRules(trx, accountId)
      const trial = await trialOf(trx, accountId)
      return trial && leftOf(trial) === 0 ? takeBack(trx, trial, SERVICE) : undefined
    })
    if (opening !== undefined) tell(accountId, opening)
  }

  return {
    async rules({ actor, clientIp }: From) {
      const [rules, trial] = await Promise.all([rulesOf(db, actor.accountId), trialOf(db, actor.accountId)])
      return {
        clientIp: plainAddress(clientIp),
        rules: rules.map(shown),
        trial: trial ? shownTrial(trial) : null,
      }
    },

    async create(from: From, draft: RuleDraft) {
      requireRanges(draft.addresses)
      const ruleId = randomUUID()
      const { accountId } = from.actor
      const after = { ...draft, rule_id: ruleId, account_id: accountId, created_at: clock.now() }
      return { ruleId, trial: await change(from, 'create', () => ({ before: null, after })) }
    },

    update(from: From, ruleId: string, { name, type, addresses, enabled }: RuleChange) {
      if (addresses !== undefined) requireRanges(addresses)
      return change(from, 'update', (rules) => {
        const before = rules.find(({ rule_id }) => rule_id === ruleId)
        if (!before) throw noRule()
        const after = {
          ...before,
          name: name ?? before.name,
          type: type ?? before.type,
          addresses: addresses ?? before.addresses,
          enabled: enabled ?? before.enabled,
        }
        return { before, after }
      })
    },

    delete: (from: From, ruleId: string) =>
      change(from, 'delete', (rules) => {
        const before = rules.find(({ rule_id }) => rule_id === ruleId)
        if (!before) throw noRule()
        return { before, after: null }
      }),

    /** From an address that the change lets in: whoever can do so is not shut out by it. */
    async confirm(from: From): Promise<void> {
      const { accountId } = from.actor
      await transaction(async (trx) => {
        await lockRules(trx, accountId)
        const trial = await trialOf(trx, accountId)
        if (!trial || leftOf(trial) === 0) throw noTrial()
        if (!letsIn(openingOf(await enabledLists(trx, accountId)), from.clientIp))
          throw new AppError('IpBlocked', FIREWALL_MESSAGES.blocked(plainAddress(from.clientIp)))
        await deleteTrial(trx, accountId)
        await record(trx, userAuthor(from), {
          accountId,
          action: 'firewall.confirm',
          object: { type: 'firewall rule', id: trial.rule_id, name: trial.rule_name },
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
      tell(accountId, opening)
    },

    /** What nobody has confirmed in time, also while no server ran. */
    async takeBackDue(): Promise<void> {
      for (const accountId of await accountsWithDueTrials(db, clock.now(), TAKEN_BACK_AT_ONCE))
        await takeBackIfDue(accountId)
    },

    /** For the operator, when an account has shut itself out: the rules stay, and none is enabled. */
    async switchOff(accountId: string): Promise<number> {
      const disabled = await transaction(async (trx) => {
        await lockRules(trx, accountId)
        const enabled = (await rulesOf(trx, accountId)).filter((rule) => rule.enabled)
        await deleteTrial(trx, accountId)
        if (enabled.length === 0) return 0
        await disableRules(trx, accountId)
        await record(trx, OPERATOR, {
          accountId,
          action: 'firewall.switchOff',
          object: { type: 'account', id: accountId },
          before: { enabled: enabled.map(({ name }) => name) },
          after: { enabled: [] },
        })
        return enabled.length
      })
      tell(accountId, null)
      return disabled
    },

    list: async (accountId: string) => (await rulesOf(db, accountId)).map(shown),
  }
}

export type Firewall = ReturnType<typeof createFirewall>
