import type { StatementDetail } from '@boathouse/contract/query'
import { t } from '../../i18n/texts.ts'
import { formatBytes, formatDateTime, formatDuration, formatMemory } from '../../lib/format.ts'
import { costInUsd } from '../../statement/cost-text.ts'
import { IconCopy } from '../../ui/icons.ts'
import { IconButton, Properties, SideSection, useCopy } from '../../ui/index.ts'
import { addressOf, clientName } from './client-name.tsx'
import { sourceName } from './source-name.ts'
import styles from './activity.module.css'

/** What it gave, what it took and where it came from. */
export function StatementFacts({ of: { entry, kept } }: { of: StatementDetail }) {
  return (
    <>
      <Cost of={entry} />
      <SideSection title={t('activity.detail.resultFacts')}>
        <Properties
          items={[
            [t('activity.detail.rows'), entry.rows === null ? '–' : entry.rows.toLocaleString('en')],
            [t('activity.detail.bytes'), entry.bytes === null ? '–' : formatBytes(entry.bytes)],
            [t('activity.detail.kept'), kept ? keptWords(kept) : keptState(entry.result)],
            ...(kept ? [[t('activity.detail.keptUntil'), formatDateTime(kept.expiresAt)] as const] : []),
          ]}
        />
      </SideSection>
      <SideSection title={t('activity.detail.work')}>
        <Properties
          items={[
            [
              t('activity.detail.peakMemory'),
              entry.peakMemoryBytes === null
                ? t('activity.detail.unmeasured')
                : formatMemory(entry.peakMemoryBytes),
            ],
            [
              t('activity.detail.spilled'),
              entry.peakSpillBytes === null ? '–' : formatBytes(entry.peakSpillBytes),
            ],
          ]}
        />
        <p className={styles['note']}>{t('activity.detail.peakMemoryNote')}</p>
      </SideSection>
      <SideSection title={t('activity.detail.whereFrom')}>
        <Properties
          items={[
            [t('activity.detail.user'), entry.user],
            [t('activity.detail.warehouse'), entry.warehouse],
            [t('activity.detail.catalog'), entry.catalog],
            [t('activity.detail.database'), entry.database],
            [t('activity.detail.source'), sourceName(entry.door)],
            [t('activity.detail.client'), clientName(entry) || '–'],
            [t('activity.detail.address'), addressOf(entry)],
            [
              t('activity.detail.queryId'),
              <Id key="query" name={t('activity.detail.queryId')} id={entry.queryId} />,
            ],
            [
              t('activity.detail.requestId'),
              <Id key="request" name={t('activity.detail.requestId')} id={entry.requestId} />,
            ],
          ]}
        />
      </SideSection>
    </>
  )
}

/** Its own share of the time of its warehouse; with what was idle, these add up to what is charged. */
const Cost = ({ of: { cost, endedAt, warehouse } }: { of: StatementDetail['entry'] }) => (
  <SideSection title={t('activity.detail.cost')}>
    <p className={styles['cost']}>{cost ? costInUsd(cost) : '–'}</p>
    <p className={styles['note']}>
      {cost
        ? t('activity.detail.costNote', {
            duration: formatDuration(1000 * cost.seconds),
            ccu: cost.ccu,
            warehouse,
          })
        : t(endedAt === null ? 'activity.detail.costPending' : 'activity.detail.noCost')}
    </p>
  </SideSection>
)

const keptWords = ({ rows, columns }: NonNullable<StatementDetail['kept']>): string =>
  t('activity.detail.keptRows', { rows: rows.toLocaleString('en'), columns })

const keptState = (result: StatementDetail['entry']['result']): string =>
  result === 'expired' ? t('activity.detail.expired') : t('activity.detail.notKept')

function Id({ name, id }: { name: string; id: string }) {
  const copy = useCopy()
  return (
    <span className={styles['id']}>
      <code title={id}>{id.slice(0, 13)}</code>
      <IconButton label={t('activity.detail.copy', { name })} size="sm" onClick={() => copy(id)}>
        <IconCopy size={14} aria-hidden />
      </IconButton>
    </span>
  )
}
