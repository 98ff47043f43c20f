import { firewall, type FirewallRule } from '@boathouse/contract/firewall'
import { t } from '../../../i18n/texts.ts'
import { useConfirm } from '../../../lib/use-confirm.ts'
import { FormDialog, notify } from '../../../ui/index.ts'
import { changedRules, meaningOf } from './letting-in.ts'
import { Meaning } from './meaning.tsx'
import { useFirewallChange } from './use-firewall-change.ts'

export type ChangeKind = 'enable' | 'disable' | 'remove'

interface Props {
  readonly kind: ChangeKind
  readonly rule: FirewallRule
  readonly rules: readonly FirewallRule[]
  /** Null: the rules do not apply to this user. */
  readonly clientIp: string | null
  readonly onClose: () => void
}

/** Before a rule is switched on or off or deleted: who has access then. */
export function ChangeDialog({ kind, rule, rules, clientIp, onClose }: Props) {
  const { ruleId, name } = rule
  const update = useFirewallChange(firewall.updateRule)
  const remove = useFirewallChange(firewall.deleteRule)
  const { confirm, isWorking, refusal } = useConfirm({
    onConfirm: async () => {
      const holds = kind === 'remove' ? remove({ ruleId }) : update({ ruleId, enabled: kind === 'enable' })
      if (await holds) notify({ tone: 'ok', message: t(`firewall.change.${kind}.done`) })
      return true
    },
    onDone: onClose,
  })
  const after = changedRules(
    rules,
    ruleId,
    kind === 'remove' ? null : { ...rule, enabled: kind === 'enable' },
  )
  return (
    <FormDialog
      title={t(`firewall.change.${kind}.title`, { name })}
      confirmLabel={t(`firewall.change.${kind}.confirm`)}
      danger={kind === 'remove'}
      width={440}
      isWorking={isWorking}
      refusal={refusal}
      onSubmit={confirm}
      onClose={onClose}
    >
      {clientIp !== null && <Meaning of={meaningOf(after, clientIp)} ip={clientIp} />}
    </FormDialog>
  )
}
