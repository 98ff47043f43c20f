import { LIMITS } from '@boathouse/contract/limits'
import { type PricedRun, query } from '@boathouse/contract/query'
import { warehouse } from '@boathouse/contract/warehouse'
import { analyse } from '@boathouse/sql'
import { useState } from 'react'
import '../../../i18n/pickers.ts'
import { t } from '../../../i18n/texts.ts'
import { useCall } from '../../../lib/api.ts'
import { formatDuration } from '../../../lib/format.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { useEditorState } from '../tabs/editor-store.ts'
import type { RunTarget } from '../text/run-target.ts'
import { useWarehouses, warehouseOf } from '../warehouse/use-warehouses.ts'

interface Props {
  readonly tabId: string
  /** What Run would send now. */
  readonly target: () => RunTarget | null
}

/** Before a run: what the warehouse costs, and what this statement took and cost when it ran before. */
export function RunCost({ tabId, target }: Props) {
  return (
    <>
      <Price tabId={tabId} />
      <Before target={target} />
    </>
  )
}

function Price({ tabId }: Pick<Props, 'tabId'>) {
  const { store } = useEditorRuntime()
  const chosen = useEditorState(store, ({ tabs }) => tabs[tabId]?.warehouse ?? '')
  const found = warehouseOf(useWarehouses() ?? [], chosen)
  const sizes = useCall(warehouse.sizes, {}, { silent: true }).data?.sizes
  const usd = sizes?.find((one) => one.size === found?.size)?.pricePerHour.usd
  return found && usd !== undefined && <div>{t('pickers.runPrice', { warehouse: found.name, usd })}</div>
}

function Before({ target }: Pick<Props, 'target'>) {
  const [statements] = useState(() => {
    const sql = target()?.sql ?? ''
    return sql.length > LIMITS.sqlLength ? [] : analyse(sql).statements
  })
  const [first] = statements
  if (!first) return null
  if (statements.length > 1) return <div>{t('pickers.severalStatements')}</div>
  return <EarlierRuns sql={first.text} />
}

function EarlierRuns({ sql }: { sql: string }) {
  const { data } = useCall(query.earlierRuns, { sql }, { silent: true, staleTime: 0 })
  return data ? <div>{earlierText(data.runs)}</div> : null
}

/** From the least to the most, once when they are the same. */
const range = (least: string | undefined, most: string | undefined): string =>
  [...new Set([least, most])].join(t('pickers.to'))

function earlierText(runs: readonly PricedRun[]): string {
  if (runs.length === 0) return t('pickers.noFinishedRun')
  // The figures of activity and bills, to the last digit.
  const prices = runs
    .flatMap(({ usd }) => (usd === null ? [] : [usd]))
    .sort((one, other) => Number(one) - Number(other))
  const times = runs.map(({ seconds }) => seconds * 1000)
  const took = range(formatDuration(Math.min(...times)), formatDuration(Math.max(...times)))
  const facts = { count: runs.length, took }
  // What runs in no warehouse costs nothing of it.
  return prices.length === 0
    ? t('pickers.earlierRuns', facts)
    : t('pickers.earlierCosts', { ...facts, usd: range(prices[0], prices.at(-1)) })
}
