import { query } from '@boathouse/contract/query'
import { t } from '../../../i18n/texts.ts'
import { useCall } from '../../../lib/api.ts'
import { formatBytes } from '../../../lib/format.ts'

/** It is counted within a second after the end. */
const ASK_AGAIN_MS = 1_200
const MOST_ASKED = 3

/** What a statement handed over and what it cost, once the service has counted it. */
export function ResultCost({ queryId }: { queryId: string }) {
  const { data } = useCall(
    query.detail,
    { queryId },
    {
      silent: true,
      staleTime: Infinity,
      refetchInterval: ({ state }) =>
        state.data?.entry.warehouse && state.data.entry.cost === null && state.dataUpdateCount < MOST_ASKED
          ? ASK_AGAIN_MS
          : false,
    },
  )
  if (!data) return null
  const { bytes, cost, warehouse } = data.entry
  return (
    <>
      {bytes !== null && <span title={t('resultView.cost.bytesHint')}>{formatBytes(bytes)}</span>}
      {cost !== null && (
        <span title={t('resultView.cost.hint', { ccu: cost.ccu, seconds: cost.seconds, warehouse })}>
          {t('resultView.cost.usd', { usd: cost.usd })}
        </span>
      )}
    </>
  )
}
