import { cluster, type ClusterNode } from '@boathouse/contract/cluster'
import type { WarehouseDetails } from '@boathouse/contract/warehouse'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { formatDateTime, formatMemory } from '../../lib/format.ts'
import { DataTable, Panel, StateDot, type TableColumn } from '../../ui/index.ts'
import styles from './warehouse.module.css'

const COLUMNS = (): TableColumn<ClusterNode>[] => [
  { key: 'name', header: t('warehouse.nodes.name'), cell: ({ name }) => name },
  { key: 'role', header: t('warehouse.nodes.role'), cell: ({ role }) => t(`warehouse.nodes.roles.${role}`) },
  {
    key: 'state',
    header: t('warehouse.nodes.state'),
    cell: ({ state }) => (
      <StateDot tone={state === 'running' ? 'ok' : 'warn'} pulse={state === 'starting'}>
        {t(`warehouse.nodes.states.${state}`)}
      </StateDot>
    ),
  },
  {
    key: 'since',
    header: t('warehouse.nodes.since'),
    cell: ({ since }) => (since === null ? '–' : formatDateTime(since)),
  },
  {
    key: 'threads',
    header: t('warehouse.nodes.threads'),
    align: 'end',
    cell: ({ threads }) => threads ?? '–',
  },
  {
    key: 'memory',
    header: t('warehouse.nodes.memory'),
    align: 'end',
    cell: ({ memoryBytes }) => (memoryBytes === null ? '–' : formatMemory(memoryBytes)),
  },
  {
    key: 'cpu',
    header: t('warehouse.nodes.cpu'),
    align: 'end',
    cell: ({ cpuPercent }) =>
      cpuPercent === null ? '–' : t('warehouse.detail.percent', { percent: cpuPercent }),
  },
]

/** The processes that run its statements. Not there while it does not run. */
export function NodesPanel({ of }: { of: WarehouseDetails }) {
  const { data } = useCall(cluster.describe, { warehouseId: of.warehouseId }, { silent: true })
  if (!data || data.nodes.length === 0) return null
  return (
    <Panel title={t('warehouse.nodes.title')}>
      <DataTable
        inPanel
        label={t('warehouse.nodes.title')}
        rows={data.nodes}
        rowKey={({ name }) => name}
        columns={COLUMNS()}
      />
      {data.sharedWith.length > 0 && (
        <p className={styles['note']}>
          {t('warehouse.nodes.sharedWith', { names: data.sharedWith.join(', ') })}
        </p>
      )}
    </Panel>
  )
}
