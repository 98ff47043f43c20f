import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { LIMITS } from './limits.ts'
import { MESSAGES, UserName } from './rules.ts'

/** What a rule can be about, as receivers get it. */
export const ALERT_EVENTS = [
  'statement.failed',
  'task.failed',
  'load.ended',
  'load.failed',
  'budget.reached',
  'warehouse.abnormal',
  'user.invited',
  'schedule.failed',
  'schedule.condition',
] as const
export const AlertEvent = z.enum(ALERT_EVENTS)
export type AlertEvent = z.infer<typeof AlertEvent>

/** Events that happen in a warehouse, so that a rule can be about one of them. */
export const EVENTS_OF_WAREHOUSES: readonly AlertEvent[] = [
  'statement.failed',
  'task.failed',
  'load.ended',
  'load.failed',
  'budget.reached',
  'warehouse.abnormal',
  'schedule.failed',
  'schedule.condition',
]
/** Events that a user caused, so that a rule can be about those of its author. */
export const EVENTS_OF_USERS: readonly AlertEvent[] = [
  'statement.failed',
  'task.failed',
  'load.ended',
  'load.failed',
  'schedule.failed',
  'schedule.condition',
]

export const ALERT_MESSAGES = {
  name: 'Enter rule name',
  nowhere: 'Enter a webhook URL, or choose who is mailed.',
  url: 'Enter an address that begins with https://, without a user name, password or #.',
} as const

const AlertRuleName = z.string().check(
  z.trim(),
  z.minLength(1, ALERT_MESSAGES.name),
  z.maxLength(LIMITS.alertRuleNameLength, MESSAGES.maximumLength(LIMITS.alertRuleNameLength)),
  // It is in the subject of a mail.
  z.regex(/^[^\p{Cc}\p{Cf}]*$/u, 'Use characters that can be seen.'),
)

function isWebhookUrl(text: string): boolean {
  if (!/^https?:\/\/[\x21-\x7e]+$/i.test(text) || text.includes('#') || !URL.canParse(text)) return false
  const { username, password } = new URL(text)
  return username + password === ''
}

/** Empty: no webhook. Without TLS only where the operator has allowed the address. */
export const WebhookUrl = z.string().check(
  z.trim(),
  z.maxLength(LIMITS.webhookUrlLength, MESSAGES.maximumLength(LIMITS.webhookUrlLength)),
  z.refine((text) => text === '' || isWebhookUrl(text), ALERT_MESSAGES.url),
)

const AlertRule = z.object({
  ruleId: z.string(),
  name: z.string(),
  event: AlertEvent,
  /** Null: of all warehouses. */
  warehouseId: z.nullable(z.string()),
  /** As it is called now; null where it is deleted, or none was chosen. */
  warehouse: z.nullable(z.string()),
  /** Only what its author caused. */
  ownOnly: z.boolean(),
  /** Who is mailed. */
  users: z.array(z.string()),
  /** Empty: no webhook. */
  url: z.string(),
  enabled: z.boolean(),
  createdAt: z.string(),
  createdBy: z.string(),
})
export type AlertRule = z.infer<typeof AlertRule>

/**
 * `waiting`: for its first attempt or the next one; `delivered`: the webhook has accepted it; `failed`: it was given up;
 * `mailed`: the rule has no webhook.
 */
const DeliveryState = z.enum(['waiting', 'delivered', 'failed', 'mailed'])

const AlertDelivery = z.object({
  /** The same on every attempt: `webhook-id`. */
  deliveryId: z.string(),
  ruleId: z.string(),
  event: z.union([AlertEvent, z.literal('test')]),
  state: DeliveryState,
  attempts: z.int(),
  mailedTo: z.int(),
  createdAt: z.string(),
  endedAt: z.nullable(z.string()),
  nextAttemptAt: z.nullable(z.string()),
  /** Of the last attempt; null: there was no answer. */
  status: z.nullable(z.int()),
  /** How the last answer begins. */
  answer: z.string(),
  /** Why the last attempt failed; empty: it did not. */
  error: z.string(),
  /** What is sent. */
  body: z.string(),
})
export type AlertDelivery = z.infer<typeof AlertDelivery>

const needs = { roles: ['account_admin'] } as const
const RuleId = z.uuid()
const Draft = {
  name: AlertRuleName,
  event: AlertEvent,
  warehouseId: z._default(z.nullable(z.uuid()), null),
  ownOnly: z._default(z.boolean(), false),
  users: z._default(z.array(UserName).check(z.maxLength(LIMITS.usersPerAlertRule)), []),
  url: z._default(WebhookUrl, ''),
  enabled: z._default(z.boolean(), true),
}
const Saved = z.object({
  rule: AlertRule,
  /** Shown now and never again; null where it stays as it was, or there is no webhook. */
  secret: z.nullable(z.string()),
})
const saveFails = ['BadInput', 'NameTaken', 'NotFound'] as const

/** Rules that say who is notified of which event, by mail or webhook, and what became of each notification. */
export const alert = {
  list: defineCall({
    path: '/alert/list',
    summary: 'List the alert rules of the account, by name',
    needs,
    input: z.object({}),
    output: z.object({ rules: z.array(AlertRule) }),
  }),
  create: defineCall({
    path: '/alert/create',
    summary: 'Create an alert rule; the secret of its webhook is shown once',
    needs,
    input: z.object(Draft),
    output: Saved,
    fails: ['LimitReached', ...saveFails],
  }),
  update: defineCall({
    path: '/alert/update',
    summary: 'Change an alert rule, or give its webhook a new secret',
    needs,
    input: z.object({ ...Draft, ruleId: RuleId, newSecret: z._default(z.boolean(), false) }),
    output: Saved,
    fails: saveFails,
  }),
  delete: defineCall({
    path: '/alert/delete',
    summary: 'Delete an alert rule with its deliveries',
    needs,
    input: z.object({ ruleId: RuleId }),
    output: z.object({}),
    fails: ['NotFound'],
  }),
  test: defineCall({
    path: '/alert/test',
    summary: 'Send a test event by an alert rule now, and tell what happened',
    needs,
    input: z.object({ ruleId: RuleId }),
    output: z.object({ delivery: AlertDelivery }),
    fails: ['NotFound', 'TooManyAttempts'],
  }),
  deliveries: defineCall({
    path: '/alert/deliveries',
    summary: 'List what was delivered by an alert rule, newest first',
    needs,
    input: z.object({
      ruleId: RuleId,
      cursor: z._default(z.nullable(z.uuid()), null),
      limit: z._default(z.int().check(z.minimum(1), z.maximum(LIMITS.pageSize)), 20),
    }),
    output: z.object({ deliveries: z.array(AlertDelivery), nextCursor: z.nullable(z.string()) }),
    fails: ['NotFound'],
  }),
  redeliver: defineCall({
    path: '/alert/redeliver',
    summary: 'Send a notification to its webhook again, under the same id',
    needs,
    input: z.object({ deliveryId: z.uuid() }),
    output: z.object({ delivery: AlertDelivery }),
    fails: ['NotFound', 'Conflict', 'LimitReached'],
  }),
}
