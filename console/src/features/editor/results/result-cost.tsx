import { query } from '@boathouse/contract/query'
import { t } from '../../../i18n/texts.ts'
import { useCall } from '../../../lib/api.ts'
import { formatBytes } from '../../../lib/format.ts'
import { askAgainMs, costInUsd } from '../../../statement/cost-text.ts'

/** What a statement returned and what it cost, loaded again until that is final. */
export function ResultCost({ queryId }: { queryId: string }) {
  const { data } = useCall(
    query.detail,
    { queryId },
    {
      silent: true,
      staleTime: Infinity,
      refetchInterval: ({ state }) => (state.data ? askAgainMs([state.data.entry]) : false),
    },
  )
  if (!data) return null
  const { bytes, cost, warehouse } = data.entry
  return (
    <>
      {bytes !== null && <span title={t('resultView.cost.bytesHint')}>{formatBytes(bytes)}</span>}
      {cost !== null && (
        <span title={t('resultView.cost.hint', { ccu: cost.ccu, seconds: cost.seconds, warehouse })}>
          {costInUsd(cost)}
        </span>
      )}
    </>
  )
}
