import { audit, type AuditChange } from '@boathouse/contract/audit'
import type { Output } from '@boathouse/contract/call'
import { t } from '../../../i18n/texts.ts'
import { useCall } from '../../../lib/api.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { SqlBlock } from '../../../statement/sql-block.tsx'
import { IconCopy } from '../../../ui/icons.ts'
import {
  CodeBlock,
  DataTable,
  Drawer,
  IconButton,
  Properties,
  Skeleton,
  StateDot,
  type TableColumn,
  useCopy,
} from '../../../ui/index.ts'
import { TabFailure } from '../tab-failure.tsx'
import styles from '../security.module.css'
import { shownField, shownValue } from './shown-value.ts'
import type { Verification } from './use-verification.ts'

interface Props {
  readonly number: number
  readonly verification: Verification
  readonly onClose: () => void
}

/** One entry with all that is kept of it. */
export function AuditDrawer({ number, verification, onClose }: Props) {
  // An entry is never changed.
  const { data, error, refetch } = useCall(audit.detail, { number }, { silent: true, staleTime: Infinity })
  return (
    <Drawer title={t('audit.drawer.title', { number })} onClose={onClose}>
      {error && <TabFailure title={t('audit.drawer.failed')} error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={240} />}
      {data && <Detail detail={data} verification={verification} />}
    </Drawer>
  )
}

interface DetailProps {
  readonly detail: Output<typeof audit.detail>
  readonly verification: Verification
}

function Detail({ detail: { entry, text, hash, previous }, verification }: DetailProps) {
  const { actor } = entry
  return (
    <div className={styles['tab']}>
      <Properties
        items={[
          [
            t('audit.column.time'),
            <time key="at" dateTime={entry.at}>
              {formatDateTime(entry.at)}
            </time>,
          ],
          [t('audit.drawer.actor'), `${actor.name} (${t(`audit.drawer.kind.${actor.kind}`)})`],
          ...(actor.key === undefined ? [] : ([[t('audit.drawer.key'), actor.key]] as const)),
          [t('audit.drawer.address'), actor.clientIp ?? t('audit.drawer.noAddress')],
          [t('audit.column.action'), <code key="action">{entry.action}</code>],
          [t('audit.drawer.object'), `${entry.objectType} ${entry.objectName}`],
          [t('audit.drawer.id'), <code key="id">{entry.objectId}</code>],
          [t('audit.drawer.hash'), <Hash key="hash" hash={hash} />],
          [t('audit.drawer.previous'), <code key="previous">{previous}</code>],
          [
            t('audit.drawer.verified'),
            <Verified key="verified" number={entry.number} verification={verification} />,
          ],
        ]}
      />
      <section aria-label={t('audit.drawer.changes')}>
        <h3>{t('audit.drawer.changes')}</h3>
        {entry.changes.length === 0 ? (
          <p className={styles['note']}>{t('audit.change.noChanges')}</p>
        ) : (
          <DataTable
            wide
            label={t('audit.drawer.changes')}
            rows={entry.changes}
            rowKey={({ field }) => field}
            columns={columns()}
          />
        )}
        {entry.isCut && <p className={styles['note']}>{t('audit.drawer.cut')}</p>}
      </section>
      {entry.statement && (
        <section aria-label={t('audit.drawer.statement')}>
          <h3>{t('audit.drawer.statement')}</h3>
          <p className={styles['note']}>{t('audit.drawer.queryId', { id: entry.statement.queryId })}</p>
          <SqlBlock sql={entry.statement.text} label={t('audit.drawer.statement')} />
        </section>
      )}
      <section aria-label={t('audit.drawer.whole')}>
        <h3>{t('audit.drawer.whole')}</h3>
        <p className={styles['note']}>{t('audit.drawer.wholeHelp')}</p>
        <CodeBlock code={text} label={t('audit.drawer.whole')} />
      </section>
    </div>
  )
}

const valueOf = (text: string | null) =>
  text === null ? (
    <span className={styles['note']}>{t('audit.change.none')}</span>
  ) : (
    <span className={styles['long']}>{shownValue(text)}</span>
  )

const columns = (): readonly TableColumn<AuditChange>[] => [
  { key: 'field', header: t('audit.drawer.field'), cell: ({ field }) => shownField(field) },
  { key: 'before', header: t('audit.drawer.before'), leastPx: 120, cell: ({ before }) => valueOf(before) },
  { key: 'after', header: t('audit.drawer.after'), leastPx: 120, cell: ({ after }) => valueOf(after) },
]

function Hash({ hash }: { hash: string }) {
  const copy = useCopy()
  return (
    <>
      <code>{hash}</code>
      <IconButton label={t('audit.drawer.copyHash')} size="sm" onClick={() => copy(hash)}>
        <IconCopy size={14} aria-hidden />
      </IconButton>
    </>
  )
}

/** The state of the chain around it: an entry alone proves nothing. */
function Verified({ number, verification }: Pick<Props, 'number' | 'verification'>) {
  if (verification.state === 'bad') return <StateDot tone="err">{t('audit.drawer.broken')}</StateDot>
  if (verification.state !== 'good' || number > verification.checked)
    return <StateDot tone="neutral">{t('audit.drawer.notVerified')}</StateDot>
  const time = formatDateTime(verification.at)
  return <StateDot tone="ok">{t('audit.drawer.isVerified', { time })}</StateDot>
}
