import '../../i18n/kept.ts'
import { quota } from '@boathouse/contract/quota'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { formatBytes } from '../../lib/format.ts'
import { ErrorState, Panel, Properties, Skeleton } from '../../ui/index.ts'
import styles from './account.module.css'

/** How much is kept for the account, and for whom most of it. */
export function KeptData() {
  const { data, error, refetch } = useCall(quota.account, {}, { silent: true })
  if (error)
    return <ErrorState title={t('kept.account.failed')} what={error.message} onRetry={() => void refetch()} />
  return (
    <Panel title={t('kept.account.title')}>
      <p className={styles['note']}>{t('kept.account.lead')}</p>
      {!data && <Skeleton height={80} />}
      {data && (
        <Properties
          items={data.kept.map(({ kind, bytes, most }) => {
            const users = data.users
              .filter((one) => one.kind === kind)
              .slice(0, 3)
              .map(({ user, bytes: own }) => `${user} ${formatBytes(own)}`)
            const used = t('kept.used', { used: formatBytes(bytes), most: formatBytes(most) })
            const largest = users.length > 0 ? t('kept.account.most', { users: users.join(', ') }) : ''
            return [t(`kept.kind.${kind}`), [used, largest].filter(Boolean).join(' · ')]
          })}
        />
      )}
    </Panel>
  )
}
