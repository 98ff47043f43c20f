import { type AlertDelivery, alert as calls, type AlertRule } from '@boathouse/contract/alert'
import { t } from '../../i18n/texts.ts'
import { useAction } from '../../lib/api.ts'
import { IconDots } from '../../ui/icons.ts'
import { Button, IconButton, Menu, notify, StateDot, type TableColumn } from '../../ui/index.ts'
import styles from './alert.module.css'
import { eventName } from './names.ts'

type OnOpen = (is: 'edit' | 'remove' | 'log', rule: AlertRule) => void

const aboutOf = ({ event, warehouseId, warehouse, ownOnly }: AlertRule): string =>
  [
    eventName(event),
    ...(warehouseId === null ? [] : [warehouse ?? t('alerts.form.deletedWarehouse')]),
    ...(ownOnly ? [t('alerts.form.ownOnly')] : []),
  ].join(' · ')

/** Addresses of receivers hold keys, so that a list shows only whose they are. */
const receiversOf = ({ users, url }: AlertRule): string =>
  [...users, ...(url === '' ? [] : [new URL(url).host])].join(', ')

/** In a function: the texts of the page are there when it is shown. */
export const ruleColumns = (onOpen: OnOpen): TableColumn<AlertRule>[] => [
  {
    key: 'name',
    header: t('alerts.name'),
    leastPx: 140,
    cell: ({ name }) => <span title={name}>{name}</span>,
  },
  { key: 'event', header: t('alerts.event'), cell: aboutOf },
  {
    key: 'to',
    header: t('alerts.to'),
    leastPx: 140,
    cell: (rule) => <span title={receiversOf(rule)}>{receiversOf(rule)}</span>,
  },
  {
    key: 'state',
    header: t('alerts.state'),
    cell: ({ enabled }) => (
      <StateDot tone={enabled ? 'ok' : 'neutral'}>
        {t(enabled ? 'alerts.stateWords.yes' : 'alerts.stateWords.no')}
      </StateDot>
    ),
  },
  {
    key: 'actions',
    header: t('alerts.actions'),
    hideHeader: true,
    align: 'end',
    cell: (rule) => <Actions rule={rule} onOpen={onOpen} />,
  },
]

function tell({ state, status, mailedTo, error }: AlertDelivery): void {
  const messages = {
    waiting: t('alerts.tested.failed', { error }),
    failed: t('alerts.tested.failed', { error }),
    mailed: t('alerts.tested.mailed', { count: mailedTo }),
    delivered: t('alerts.tested.delivered', { status: String(status) }),
  }
  const isOk = state === 'mailed' || state === 'delivered'
  notify({ tone: isOk ? 'ok' : 'err', message: messages[state] })
}

function Actions({ rule, onOpen }: { rule: AlertRule; onOpen: OnOpen }) {
  const { ruleId, name, enabled } = rule
  const test = useAction(calls.test, { refreshes: [calls.deliveries] })
  const update = useAction(calls.update, { refreshes: [calls.list] })
  const label = t('alerts.menuOf', { name })
  return (
    <span className={styles['tools']}>
      <Button
        size="sm"
        loading={test.isPending}
        onClick={() => test.mutate({ ruleId }, { onSuccess: ({ delivery }) => tell(delivery) })}
      >
        {t('alerts.test')}
      </Button>
      <Menu
        label={label}
        trigger={
          <IconButton label={label} size="sm">
            <IconDots size={16} aria-hidden />
          </IconButton>
        }
        entries={[
          { label: t('alerts.log'), onSelect: () => onOpen('log', rule) },
          { label: t('alerts.edit'), onSelect: () => onOpen('edit', rule) },
          {
            label: t(enabled ? 'alerts.disable' : 'alerts.enable'),
            onSelect: () => update.mutate({ ...rule, enabled: !enabled }),
          },
          { kind: 'divider' },
          { label: t('alerts.remove'), danger: true, onSelect: () => onOpen('remove', rule) },
        ]}
      />
    </span>
  )
}
