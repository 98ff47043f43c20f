import type { ApiKey } from '@boathouse/contract/key'
import { t } from '../../i18n/texts.ts'
import { formatDateTime, formatRelative } from '../../lib/format.ts'
import { IconDots, IconRefresh, IconTrash } from '../../ui/icons.ts'
import { Badge, IconButton, Menu } from '../../ui/index.ts'
import styles from './key.module.css'

interface Props {
  readonly of: ApiKey
  readonly now: number
  /** Null: they do not. */
  readonly onRotate: (() => void) | null
  readonly onRevoke: () => void
}

/** One key: what it may do, until when, and when it was last used. */
export function KeyEntry({ of, now, onRotate, onRevoke }: Props) {
  const { name } = of
  return (
    <li className={styles['entry']}>
      <div className={styles['facts']}>
        <p className={styles['name']}>
          {name}
          {of.isExpired && <Badge tone="err">{t('keys.expired')}</Badge>}
        </p>
        <p>{allowedBy(of)}</p>
        <p className={styles['note']}>{limitsOf(of, now).join(' · ')}</p>
        <p className={styles['note']} title={of.lastUse ? formatDateTime(of.lastUse.at) : undefined}>
          {lastUseOf(of, now)}
        </p>
        {of.formerUntil && (
          <p className={styles['note']}>{t('keys.facts.former', { time: formatDateTime(of.formerUntil) })}</p>
        )}
      </div>
      <Menu
        label={t('keys.actionsOf', { name })}
        width={160}
        entries={[
          ...(onRotate
            ? [
                {
                  label: t('keys.rotate'),
                  icon: <IconRefresh size={16} stroke={1.6} aria-hidden />,
                  disabled: of.isExpired,
                  onSelect: onRotate,
                },
              ]
            : []),
          {
            label: t('keys.revoke'),
            icon: <IconTrash size={16} stroke={1.6} aria-hidden />,
            danger: true,
            onSelect: onRevoke,
          },
        ]}
        trigger={
          <IconButton label={t('keys.actionsOf', { name })} size="sm">
            <IconDots size={16} aria-hidden />
          </IconButton>
        }
      />
    </li>
  )
}

const allowedBy = ({ doors, roles }: ApiKey): string =>
  [
    doors.map((door) => t(`keys.door.${door}`)).join(', '),
    roles === null ? t('keys.facts.allRoles') : roles.join(', '),
  ].join(' · ')

const limitsOf = ({ addresses, expiresAt, createdAt, createdBy }: ApiKey, now: number): string[] => [
  addresses === '' ? t('keys.facts.allAddresses') : addresses,
  expiresAt === null
    ? t('keys.facts.noExpiry')
    : t('keys.facts.expires', { time: formatDateTime(expiresAt) }),
  t('keys.facts.created', { time: formatRelative(createdAt, now), user: createdBy }),
]

function lastUseOf({ lastUse }: ApiKey, now: number): string {
  if (!lastUse) return t('keys.facts.neverUsed')
  const { clientIp: address, program } = lastUse
  const time = formatRelative(lastUse.at, now)
  return program === ''
    ? t('keys.facts.lastUsed', { time, address })
    : t('keys.facts.lastUsedBy', { time, address, program })
}
