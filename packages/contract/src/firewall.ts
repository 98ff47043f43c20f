import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { looksLikeRanges } from './ipv4.ts'
import { LIMITS } from './limits.ts'
import { MESSAGES } from './rules.ts'

export const FIREWALL_MESSAGES = {
  ruleName: 'Enter rule name',
  addresses: 'Enter valid IPV4 addresses',
  /** Holds the address. */
  blocked: (address: string) =>
    `The IP firewall of this account blocks requests from ${address}. Contact your account administrator.`,
  /** Of a client that came by a private link. */
  otherEndpoint: 'The private endpoint that you came through does not lead to this account.',
} as const

/** For which doors a rule is. Today there is one answer, since all that is open comes in by the same one. */
export const FirewallRuleType = z.enum(['all'])
export type FirewallRuleType = z.infer<typeof FirewallRuleType>

export const FirewallRuleName = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, FIREWALL_MESSAGES.ruleName),
    z.maxLength(LIMITS.firewallRuleNameLength, MESSAGES.maximumLength(LIMITS.firewallRuleNameLength)),
  )

export const FirewallAddresses = z
  .string()
  .check(
    z.trim(),
    z.maxLength(LIMITS.firewallAddressesLength, MESSAGES.maximumLength(LIMITS.firewallAddressesLength)),
    z.refine(looksLikeRanges, FIREWALL_MESSAGES.addresses),
  )

export const FirewallRule = z.object({
  ruleId: z.string(),
  name: z.string(),
  type: FirewallRuleType,
  /** IPv4 addresses and CIDR ranges, commas between them. */
  addresses: z.string(),
  enabled: z.boolean(),
})
export type FirewallRule = z.infer<typeof FirewallRule>

/** A change that cut off its author: it applies for a while, and is reverted unless it is confirmed. */
export const FirewallTrial = z.object({
  leftMs: z.int(),
  ruleName: z.string(),
  /** Who made it, and from where. */
  user: z.string(),
  clientIp: z.string(),
})
export type FirewallTrial = z.infer<typeof FirewallTrial>

const needs = { roles: ['security_admin'] } as const
const RuleId = z.uuid()
const Changed = z.object({ trial: z.nullable(FirewallTrial) })

/** Who has access to an account: everyone if no rule is enabled, else users at an address of an enabled rule. */
export const firewall = {
  rules: defineCall({
    path: '/firewall/rules',
    summary: 'List the rules, your address and a change that waits for confirmation',
    needs,
    input: z.object({}),
    output: z.object({
      /** As the service sees it. */
      clientIp: z.string(),
      /** The VPC endpoint that you came through, to which rules do not apply; null: over the public address. */
      privateEndpoint: z.nullable(z.string()),
      rules: z.array(FirewallRule),
      trial: z.nullable(FirewallTrial),
    }),
  }),
  createRule: defineCall({
    path: '/firewall/create-rule',
    summary: 'Create a rule; if it blocks your own address, it is reverted after a minute unless confirmed',
    needs,
    input: z.object({
      name: FirewallRuleName,
      type: z._default(FirewallRuleType, 'all'),
      addresses: FirewallAddresses,
      enabled: z.boolean(),
    }),
    output: z.object({ ruleId: z.string(), trial: z.nullable(FirewallTrial) }),
    fails: ['Conflict', 'NameTaken', 'LimitReached'],
  }),
  updateRule: defineCall({
    path: '/firewall/update-rule',
    summary: 'Change, enable or disable a rule; omitted fields do not change',
    needs,
    input: z.object({
      ruleId: RuleId,
      name: z.optional(FirewallRuleName),
      type: z.optional(FirewallRuleType),
      addresses: z.optional(FirewallAddresses),
      enabled: z.optional(z.boolean()),
    }),
    output: Changed,
    fails: ['NotFound', 'Conflict', 'NameTaken'],
  }),
  deleteRule: defineCall({
    path: '/firewall/delete-rule',
    summary: 'Delete a rule',
    needs,
    input: z.object({ ruleId: RuleId }),
    output: Changed,
    fails: ['NotFound', 'Conflict'],
  }),
  confirmChange: defineCall({
    path: '/firewall/confirm-change',
    summary: 'Keep a change that blocks its author; only from an allowed address',
    needs,
    input: z.object({}),
    output: z.object({}),
    fails: ['NotFound'],
  }),
  takeBackChange: defineCall({
    path: '/firewall/take-back-change',
    summary: 'Revert a change that waits for confirmation',
    needs,
    input: z.object({}),
    output: z.object({}),
    fails: ['NotFound'],
  }),
}
