import { schedule as calls, type Schedule } from '@boathouse/contract/schedule'
import { Link } from '@tanstack/react-router'
import { t } from '../../../i18n/texts.ts'
import { useAction } from '../../../lib/api.ts'
import { formatDateTime, formatRelative } from '../../../lib/format.ts'
import { IconDots } from '../../../ui/icons.ts'
import { Badge, Button, IconButton, Menu, notify, type TableColumn } from '../../../ui/index.ts'
import { timeInZone } from './next-runs.tsx'
import { cronWords } from './repeats.ts'
import { isTroubled } from './run-delivery.tsx'
import { isOpen, RunState } from './run-state.tsx'
import styles from './schedules.module.css'

/** What is open over the list. */
export interface OpenSchedule {
  readonly is: 'edit' | 'runs' | 'remove'
  readonly schedule: Schedule
}

interface Parts {
  readonly onOpen: (open: OpenSchedule) => void
  readonly queryPath: (tab: { readonly tabId: string; readonly tabName: string }) => string
  /** Some are of other users. */
  readonly hasOwners: boolean
  readonly now: number
}

/** In a function: the texts of the page are there when it is shown. */
export const scheduleColumns = ({ onOpen, queryPath, hasOwners, now }: Parts): TableColumn<Schedule>[] => [
  {
    key: 'query',
    header: t('schedules.column.query'),
    leastPx: 140,
    cell: ({ tabId, queryName, isOwn }) =>
      isOwn ? <Link to={queryPath({ tabId, tabName: queryName })}>{queryName}</Link> : queryName,
  },
  {
    key: 'when',
    header: t('schedules.column.when'),
    cell: ({ cron, timeZone }) => (
      <span title={cron}>
        {cronWords(cron)} · {timeZone}
      </span>
    ),
  },
  { key: 'next', header: t('schedules.column.next'), cell: (one) => <NextRun of={one} now={now} /> },
  {
    key: 'last',
    header: t('schedules.column.last'),
    cell: ({ lastRun }) =>
      lastRun === null ? (
        t('schedules.never')
      ) : (
        <span className={styles['last']} title={lastRun.error || undefined}>
          <RunState state={lastRun.state} />
          <time dateTime={lastRun.createdAt} title={formatDateTime(lastRun.createdAt)}>
            {formatRelative(lastRun.createdAt, Math.max(now, Date.parse(lastRun.createdAt)))}
          </time>
          {isTroubled(lastRun.delivery) && <Badge tone="err">{t('schedules.webhook.trouble')}</Badge>}
        </span>
      ),
  },
  ...(hasOwners
    ? [{ key: 'owner', header: t('schedules.column.owner'), cell: ({ owner }: Schedule) => owner }]
    : []),
  {
    key: 'actions',
    header: t('schedules.column.actions'),
    hideHeader: true,
    align: 'end',
    cell: (one) => <Actions schedule={one} onOpen={onOpen} />,
  },
]

function NextRun({ of: { nextRunAt, timeZone }, now }: { of: Schedule; now: number }) {
  if (nextRunAt === null) return <Badge>{t('schedules.paused')}</Badge>
  return (
    <time dateTime={nextRunAt} title={timeInZone(new Date(nextRunAt), timeZone)}>
      {formatRelative(nextRunAt, now)}
    </time>
  )
}

function Actions({ schedule, onOpen }: { schedule: Schedule; onOpen: Parts['onOpen'] }) {
  const { scheduleId, queryName: name, paused, isOwn, lastRun } = schedule
  const run = useAction(calls.run, { refreshes: [calls.list, calls.runs] })
  const pause = useAction(calls.pause, { refreshes: [calls.list, calls.find] })
  const label = t('schedules.menuOf', { name })
  const setPaused = (next: boolean) =>
    pause.mutate(
      { scheduleId, paused: next },
      {
        onSuccess: () =>
          notify({ tone: 'ok', message: t(next ? 'schedules.wasPaused' : 'schedules.wasResumed') }),
      },
    )
  const own = [
    {
      label: t('schedules.runNow'),
      disabled: isOpen(lastRun),
      onSelect: () =>
        run.mutate(
          { scheduleId },
          { onSuccess: () => notify({ tone: 'ok', message: t('schedules.begun') }) },
        ),
    },
    { label: t('schedules.edit'), onSelect: () => onOpen({ is: 'edit', schedule }) },
  ]
  return (
    <span className={styles['tools']}>
      <Button size="sm" onClick={() => onOpen({ is: 'runs', schedule })}>
        {t('schedules.runs.open')}
      </Button>
      <Menu
        label={label}
        trigger={
          <IconButton label={label} size="sm">
            <IconDots size={16} aria-hidden />
          </IconButton>
        }
        entries={[
          ...(isOwn ? own : []),
          ...(isOwn || !paused
            ? [
                {
                  label: t(paused ? 'schedules.resume' : 'schedules.pause'),
                  onSelect: () => setPaused(!paused),
                },
              ]
            : []),
          { kind: 'divider' },
          {
            label: t('schedules.remove'),
            danger: true,
            onSelect: () => onOpen({ is: 'remove', schedule }),
          },
        ]}
      />
    </span>
  )
}
