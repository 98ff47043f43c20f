import type { EndpointStatus, VpcEndpoint } from '@boathouse/contract/vpce'
import { t } from '../../../i18n/texts.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { Button, StateDot, type TableColumn, type Tone } from '../../../ui/index.ts'
import styles from '../security.module.css'

interface Acting {
  readonly mayAlter: boolean
  readonly onRemove: (endpointId: string) => void
}

const TONES: Readonly<Record<EndpointStatus, Tone>> = { pending: 'warn', available: 'ok', rejected: 'err' }

export const endpointColumns = ({ mayAlter, onRemove }: Acting): readonly TableColumn<VpcEndpoint>[] => [
  {
    key: 'endpoint',
    header: t('privateLink.column.endpoint'),
    cell: ({ endpointId }) => <code>{endpointId}</code>,
  },
  {
    key: 'account',
    header: t('privateLink.column.awsAccount'),
    cell: ({ awsAccountId }) => <code>{awsAccountId}</code>,
  },
  {
    key: 'type',
    header: t('privateLink.column.type'),
    cell: ({ connectionType }) => t(`privateLink.type.${connectionType}`),
  },
  {
    key: 'created',
    header: t('privateLink.column.created'),
    cell: ({ createdAt }) => <time dateTime={createdAt}>{formatDateTime(createdAt)}</time>,
  },
  { key: 'creator', header: t('privateLink.column.creator'), cell: ({ creator }) => creator },
  {
    key: 'status',
    header: t('privateLink.column.status'),
    leastPx: 240,
    cell: (endpoint) => <Status endpoint={endpoint} />,
  },
  {
    key: 'actions',
    header: t('privateLink.column.actions'),
    hideHeader: true,
    align: 'end',
    cell: ({ endpointId }) => (
      <Button
        size="sm"
        disabled={!mayAlter}
        aria-label={t('privateLink.remove.actionOf', { endpoint: endpointId })}
        onClick={() => onRemove(endpointId)}
      >
        {t('privateLink.remove.action')}
      </Button>
    ),
  },
]

/** What it waits for, or since when and for whom it is open. */
function helpOf({ status, requestSeenAt, addresses }: VpcEndpoint) {
  if (status === 'pending' && requestSeenAt !== null) return 'received'
  return status === 'available' && addresses !== '' ? 'availableFrom' : status
}

function Status({ endpoint }: { endpoint: VpcEndpoint }) {
  const { status, reason, decidedAt, addresses } = endpoint
  const values = {
    addresses,
    reason: reason ?? '',
    time: decidedAt === null ? '' : formatDateTime(decidedAt),
  }
  return (
    <div className={styles['long']}>
      <StateDot tone={TONES[status]}>{t(`privateLink.status.${status}`)}</StateDot>
      <br />
      <span className={styles['note']}>{t(`privateLink.statusHelp.${helpOf(endpoint)}`, values)}</span>
    </div>
  )
}
