import type { FirewallRule } from '@boathouse/contract/firewall'
import { t } from '../../../i18n/texts.ts'
import { Button, StateDot, type TableColumn } from '../../../ui/index.ts'
import type { ChangeKind } from './change-dialog.tsx'
import styles from './firewall.module.css'

interface Changes {
  readonly onEdit: (rule: FirewallRule) => void
  readonly onChange: (kind: ChangeKind, rule: FirewallRule) => void
}

/** In a function: the texts of the page are there when it is shown. */
export const ruleColumns = (changes: Changes): TableColumn<FirewallRule>[] => [
  {
    key: 'name',
    header: t('firewall.name'),
    leastPx: 160,
    cell: ({ name }) => <span title={name}>{name}</span>,
  },
  { key: 'type', header: t('firewall.type'), cell: ({ type }) => t(`firewall.types.${type}`) },
  {
    key: 'addresses',
    header: t('firewall.addresses'),
    leastPx: 160,
    cell: ({ addresses }) => <code className={styles['addresses']}>{addresses}</code>,
  },
  {
    key: 'enabled',
    header: t('firewall.enabled'),
    cell: ({ enabled }) => (
      <StateDot tone={enabled ? 'ok' : 'neutral'}>
        {t(enabled ? 'firewall.enabledWords.yes' : 'firewall.enabledWords.no')}
      </StateDot>
    ),
  },
  {
    key: 'actions',
    header: t('firewall.actions'),
    hideHeader: true,
    align: 'end',
    cell: (rule) => <Actions rule={rule} {...changes} />,
  },
]

function Actions({ rule, onEdit, onChange }: Changes & { readonly rule: FirewallRule }) {
  const { name } = rule
  const kind = rule.enabled ? 'disable' : 'enable'
  return (
    <span className={styles['tools']}>
      <Button size="sm" aria-label={t(`firewall.${kind}Of`, { name })} onClick={() => onChange(kind, rule)}>
        {t(`firewall.${kind}`)}
      </Button>
      <Button size="sm" aria-label={t('firewall.editOf', { name })} onClick={() => onEdit(rule)}>
        {t('firewall.edit')}
      </Button>
      <Button
        size="sm"
        aria-label={t('firewall.removeOf', { name })}
        onClick={() => onChange('remove', rule)}
      >
        {t('firewall.remove')}
      </Button>
    </span>
  )
}
