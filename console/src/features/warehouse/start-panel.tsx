import { START_STEPS, type WarehouseDetails } from '@boathouse/contract/warehouse'
import { useEffect, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { formatSeconds } from '../../lib/format.ts'
import { IconCircle, IconCircleCheck } from '../../ui/icons.ts'
import { Panel, Spinner } from '../../ui/index.ts'
import styles from './warehouse.module.css'

type Starting = NonNullable<WarehouseDetails['starting']>

const TICK_MS = 1_000

function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** The steps of a start that takes seconds, and how long it takes. Not there while it does not start. */
export function StartPanel({ of: { starting } }: { of: Pick<WarehouseDetails, 'starting'> }) {
  return starting && <Steps of={starting} />
}

function Steps({ of: { step, ready, of, since, lastTookMs } }: { of: Starting }) {
  const now = useNow()
  const at = START_STEPS.indexOf(step)
  const seconds = formatSeconds(Math.max(0, (now - Date.parse(since)) / 1000))
  return (
    <Panel title={t('warehouse.start.title')}>
      <ol className={styles['startSteps']}>
        {START_STEPS.map((one, index) => {
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
          ? t('warehouse.start.first', { duration: seconds })
          : t('warehouse.start.like', { duration: seconds, last: formatSeconds(lastTookMs / 1000) })}
      </p>
    </Panel>
  )
}
