import type { FirewallRule } from '@boathouse/contract/firewall'
import { holdsAddress, readRanges } from '@boathouse/contract/ipv4'

type Listed = Pick<FirewallRule, 'ruleId' | 'addresses' | 'enabled'>

export const isInList = (addresses: string, ip: string): boolean =>
  holdsAddress(readRanges(addresses) ?? [], ip)

/** What rules mean for the user who looks at them: all addresses are allowed, theirs is, or it is not. */
export function meaningOf(rules: readonly Pick<Listed, 'addresses' | 'enabled'>[], ip: string) {
  const enabled = rules.filter((rule) => rule.enabled)
  if (enabled.length === 0) return 'open'
  return enabled.some(({ addresses }) => isInList(addresses, ip)) ? 'allowed' : 'cutOff'
}

/** The rules once one of them is another, new or gone (null). */
export const changedRules = (rules: readonly Listed[], ruleId: string, next: Listed | null): Listed[] => [
  ...rules.filter((rule) => rule.ruleId !== ruleId),
  ...(next ? [next] : []),
]
