import {
  firewall,
  FirewallAddresses,
  type FirewallRule,
  FirewallRuleName,
} from '@boathouse/contract/firewall'
import { readRanges } from '@boathouse/contract/ipv4'
import { LIMITS } from '@boathouse/contract/limits'
import { useId, useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { ruleOf, useForm } from '../../../lib/form.ts'
import { Button, Dialog, NameField, notify, Refusal, Switch, TextField } from '../../../ui/index.ts'
import { changedRules, isInList, meaningOf } from './letting-in.ts'
import { Meaning, Warning } from './meaning.tsx'
import { useFirewallChange } from './use-firewall-change.ts'
import shared from '../security.module.css'
import styles from './firewall.module.css'

interface Props {
  /** Undefined: a new one. */
  readonly rule: FirewallRule | undefined
  readonly rules: readonly FirewallRule[]
  /** Null: the rules do not apply to this user. */
  readonly clientIp: string | null
  readonly onClose: () => void
}

const NEW = ''

export function RuleDialog({ rule, rules, clientIp, onClose }: Props) {
  const create = useFirewallChange(firewall.createRule)
  const update = useFirewallChange(firewall.updateRule)
  const [enabled, setEnabled] = useState(rule?.enabled ?? true)
  const form = useForm(
    { name: rule?.name ?? '', addresses: rule?.addresses ?? '' },
    { name: ruleOf(FirewallRuleName), addresses: ruleOf(FirewallAddresses) },
  )
  const { addresses } = form.values
  const submit = form.onSubmit(async (draft) => {
    const holds = rule
      ? await update({ ruleId: rule.ruleId, ...draft, enabled })
      : await create({ ...draft, enabled })
    if (holds) notify({ tone: 'ok', message: t('firewall.saved') })
    onClose()
  })
  const ruleId = rule?.ruleId ?? NEW
  const id = useId()
  const footer = (
    <>
      <Button onClick={onClose}>{t('ui.cancel')}</Button>
      <Button type="submit" form={id} variant="primary" loading={form.working}>
        {t('firewall.save')}
      </Button>
    </>
  )
  return (
    <Dialog
      open
      onClose={onClose}
      footer={footer}
      width={520}
      closeOnClickOutside={false}
      title={rule ? t('firewall.editTitle', { name: rule.name }) : t('firewall.createTitle')}
    >
      <form id={id} className={shared['form']} onSubmit={submit} noValidate>
        <TextField
          {...form.field('name')}
          label={t('firewall.name')}
          autoComplete="off"
          maxLength={LIMITS.firewallRuleNameLength}
          data-autofocus
        />
        <NameField
          {...form.field('addresses')}
          label={t('firewall.addresses')}
          help={t('firewall.addressesHelp')}
          autoComplete="off"
        />
        {clientIp !== null && (
          <OwnAddress
            addresses={addresses}
            clientIp={clientIp}
            meaning={meaningOf(changedRules(rules, ruleId, { ruleId, addresses, enabled }), clientIp)}
            onAdd={(list) => form.put('addresses', list)}
          />
        )}
        <Switch
          label={t('firewall.enableRule')}
          help={t('firewall.enableRuleHelp')}
          checked={enabled}
          onChange={setEnabled}
        />
        <p className={shared['help']}>
          {t('firewall.type')}: {t('firewall.types.all')}
        </p>
        <Refusal text={form.refused} />
      </form>
    </Dialog>
  )
}

interface OwnAddressProps {
  readonly addresses: string
  readonly clientIp: string
  readonly meaning: ReturnType<typeof meaningOf>
  readonly onAdd: (addresses: string) => void
}

/** Warns users who are not in their own list, with what it would mean. */
function OwnAddress({ addresses, clientIp, meaning, onAdd }: OwnAddressProps) {
  const isEmpty = addresses.trim() === ''
  const isReadable = readRanges(addresses) !== null
  if (isReadable && isInList(addresses, clientIp)) return null
  const canBeAdded = readRanges(clientIp) !== null && (isEmpty || isReadable)
  const withOwn = isEmpty ? clientIp : `${addresses}, ${clientIp}`
  return (
    <div className={styles['own']}>
      {isReadable && meaning === 'cutOff' && <Meaning of="cutOff" ip={clientIp} />}
      {isReadable && meaning !== 'cutOff' && (
        <Warning
          text={[
            t('firewall.notListed', { ip: clientIp }),
            ...(meaning === 'allowed' ? [t('firewall.allowedByOther')] : []),
          ].join(' ')}
        />
      )}
      {canBeAdded && (
        <Button size="sm" onClick={() => onAdd(withOwn)}>
          {t('firewall.addOwn')}
        </Button>
      )}
    </div>
  )
}
