import '../../i18n/kept.ts'
import { quota } from '@boathouse/contract/quota'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { formatBytes } from '../../lib/format.ts'
import { ErrorState, Properties, Skeleton } from '../../ui/index.ts'

/** How much is kept for the user, and how much may be. */
export function OwnKept() {
  const { data, error, refetch } = useCall(quota.own, {}, { silent: true, staleTime: 0 })
  if (error)
    return <ErrorState title={t('kept.own.failed')} what={error.message} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={80} />
  return (
    <Properties
      items={data.kept.map(({ kind, bytes, most }) => [
        t(`kept.kind.${kind}`),
        t('kept.used', { used: formatBytes(bytes), most: formatBytes(most) }),
      ])}
    />
  )
}
