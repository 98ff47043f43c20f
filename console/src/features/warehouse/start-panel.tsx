import { START_STEPS, type WarehouseDetails } from '@boathouse/contract/warehouse'
import { useEffect, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { formatSeconds } from '../../lib/format.ts'
import { IconCircle, IconCircleCheck } from '../../ui/icons.ts'
import { Panel, Spinner } from '../../ui/index.ts'
import styles from './warehouse.module.css'

type Starting = NonNullable<WarehouseDetails['starting']>

const TICK_MS = 1_000
/** Of a cluster that exists already, nothing is started. */
const LOOKED_AT = ['coordinator'] as const

function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** The steps of a start that takes seconds, and how long it takes. Not there while it does not start. */
export function StartPanel({
  of: { starting, engine },
}: {
  of: Pick<WarehouseDetails, 'starting' | 'engine'>
}) {
  if (!starting) return null
  return engine.isExisting ? (
    <Steps of={starting} steps={LOOKED_AT} firstNote="warehouse.existing.first" />
  ) : (
    <Steps of={starting} steps={START_STEPS} firstNote="warehouse.start.first" />
  )
}

interface StepsProps {
  readonly of: Starting
  readonly steps: readonly Starting['step'][]
  /** Below the first start of its kind. */
  readonly firstNote: 'warehouse.start.first' | 'warehouse.existing.first'
}

function Steps({ of: { step, ready, of, since, lastTookMs }, steps, firstNote }: StepsProps) {
  const now = useNow()
  const at = steps.indexOf(step)
  const seconds = formatSeconds(Math.max(0, (now - Date.parse(since)) / 1000))
  return (
    <Panel title={t('warehouse.start.title')}>
      <ol className={styles['startSteps']}>
        {steps.map((one, index) => {
          const state = index < at ? 'done' : index === at ? 'now' : 'later'
          return (
            <li key={one} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
              {state === 'done' && <IconCircleCheck size={16} aria-hidden />}
              {state === 'now' && <Spinner size={16} immediate />}
              {state === 'later' && <IconCircle size={16} aria-hidden />}
              {one === 'workers' && index <= at
                ? t('warehouse.start.workersReady', { ready: index < at ? of : ready, of })
                : t(`warehouse.start.${one}`)}
            </li>
          )
        })}
      </ol>
      <p className={styles['note']}>
        {lastTookMs === null
          ? t(firstNote, { duration: seconds })
          : t('warehouse.start.like', { duration: seconds, last: formatSeconds(lastTookMs / 1000) })}
      </p>
    </Panel>
  )
}
