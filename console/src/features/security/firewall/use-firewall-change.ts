import type { Sent } from '@boathouse/contract/call'
import { firewall } from '@boathouse/contract/firewall'
import { useAction } from '../../../lib/api.ts'
import { rememberTrial } from '../../../lib/firewall-trial.ts'

type Changing = typeof firewall.createRule | typeof firewall.updateRule | typeof firewall.deleteRule

/**
 * A change of the rules; answers whether it stays. One that cuts off this address is remembered, for the page that then
 * says so.
 */
export function useFirewallChange<C extends Changing>(call: C) {
  const action = useAction(call, { silent: true, refreshes: [firewall.rules] })
  return async (input: Sent<C>): Promise<boolean> => {
    const { trial } = await action.mutateAsync(input)
    if (trial) rememberTrial(trial.leftMs)
    return trial === null
  }
}
