import type { ListedEmbed } from '@boathouse/contract/embed'
import { t } from '../../../i18n/texts.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { Button, type TableColumn } from '../../../ui/index.ts'
import styles from '../security.module.css'

const timeOrNever = (time: string | null) =>
  time === null ? t('embed.never') : <time dateTime={time}>{formatDateTime(time)}</time>

export const linkColumns = (onRevoke: (link: ListedEmbed) => void): readonly TableColumn<ListedEmbed>[] => [
  { key: 'dashboard', header: t('embed.column.dashboard'), cell: ({ dashboard }) => dashboard },
  { key: 'owner', header: t('embed.column.owner'), cell: ({ owner }) => owner },
  {
    key: 'websites',
    header: t('embed.column.websites'),
    leastPx: 200,
    cell: ({ origins }) => (
      <span className={styles['long']}>
        {origins.length === 0 ? t('embed.linkAlone') : origins.join(', ')}
      </span>
    ),
  },
  { key: 'created', header: t('embed.column.created'), cell: ({ createdAt }) => timeOrNever(createdAt) },
  {
    key: 'expires',
    header: t('embed.column.expires'),
    cell: ({ expiresAt, isExpired }) => (isExpired ? t('embed.expired') : timeOrNever(expiresAt)),
  },
  { key: 'used', header: t('embed.column.used'), cell: ({ lastUsedAt }) => timeOrNever(lastUsedAt) },
  {
    key: 'actions',
    header: t('embed.column.actions'),
    hideHeader: true,
    align: 'end',
    cell: (link) => (
      <Button
        size="sm"
        aria-label={t('embed.revokeOf', { time: formatDateTime(link.createdAt) })}
        onClick={() => onRevoke(link)}
      >
        {t('embed.revoke')}
      </Button>
    ),
  },
]
