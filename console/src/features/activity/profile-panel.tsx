import type { ProfileNode } from '@boathouse/contract/query'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { formatCount, formatDuration } from '../../lib/format.ts'
import { Badge, CodeBlock, DataTable, Panel, Segmented, type TableColumn } from '../../ui/index.ts'
import { type ProfileRow, profileRows, shareOfPath } from './slowest-path.ts'
import styles from './activity.module.css'

type View = 'tree' | 'asText'
const VIEWS: readonly View[] = ['tree', 'asText']

/** How it really ran: operators with their own time, and the path that took longest. */
export function ProfilePanel({ profile }: { profile: ProfileNode | null }) {
  const [view, setView] = useState<View>('tree')
  return (
    <Panel
      title={t('activity.detail.profile')}
      actions={
        profile && (
          <Segmented
            label={t('activity.detail.view')}
            value={view}
            segments={VIEWS.map((value) => ({ value, label: t(`activity.detail.${value}`) }))}
            onChange={setView}
          />
        )
      }
    >
      {!profile && <p className={styles['note']}>{t('activity.detail.noProfile')}</p>}
      {profile && view === 'tree' && <Tree profile={profile} />}
      {profile && view === 'asText' && (
        <CodeBlock label={t('activity.detail.profile')} code={profileText(profile)} />
      )}
    </Panel>
  )
}

const lineOf = ({ node, depth }: ProfileRow): string =>
  `${'  '.repeat(depth)}${node.operator} ${node.detail.replaceAll('\n', ' ')} (${formatDuration(node.timeMs)}, ${node.rows} rows)`

const profileText = (profile: ProfileNode): string => profileRows(profile).map(lineOf).join('\n')

function Tree({ profile }: { profile: ProfileNode }) {
  const rows = profileRows(profile)
  const mostMs = Math.max(...rows.map(({ node }) => node.timeMs))
  const mostRows = Math.max(...rows.map(({ node }) => node.rows))
  return (
    <>
      <p className={styles['note']}>
        {t('activity.detail.slowestPath', { percent: Math.round(100 * shareOfPath(profile)) })}
      </p>
      <div className={styles['profile']}>
        <DataTable
          inPanel
          wide
          label={t('activity.detail.profile')}
          rows={rows.map((row, index) => ({ ...row, index }))}
          rowKey={({ index }) => index}
          columns={columnsOf(mostMs, mostRows)}
        />
      </div>
    </>
  )
}

const columnsOf = (mostMs: number, mostRows: number): readonly TableColumn<ProfileRow>[] => [
  {
    key: 'operator',
    header: t('activity.detail.operator'),
    cell: (row) => <Operator {...row} />,
  },
  {
    key: 'time',
    header: t('activity.detail.ownTime'),
    cell: ({ node: { timeMs }, isSlow }) => (
      <Measure share={timeMs / mostMs} isSlow={isSlow} text={formatDuration(timeMs)} />
    ),
  },
  {
    key: 'rows',
    header: t('activity.detail.rowsOut'),
    cell: ({ node }) => <Measure share={node.rows / mostRows} text={formatCount(node.rows)} />,
  },
]

function Operator({ node: { operator, detail }, depth, isSlow, isSlowest }: ProfileRow) {
  return (
    <span className={styles['operator']} data-slow={isSlow || undefined} style={{ marginLeft: 20 * depth }}>
      <strong>{operator}</strong> <code title={detail}>{detail.replaceAll(/\s+/g, ' ')}</code>{' '}
      {isSlowest && <Badge tone="warn">{t('activity.detail.slowest')}</Badge>}
    </span>
  )
}

function Measure({ share, text, isSlow = false }: { share: number; text: string; isSlow?: boolean }) {
  const width = Number.isFinite(share) ? Math.max(2, 96 * share) : 0
  return (
    <span className={styles['measure']}>
      <span>{text}</span>
      <span className={styles['bar']} data-slow={isSlow || undefined} style={{ width }} aria-hidden />
    </span>
  )
}
