import type { IntegrationGuide } from '@boathouse/contract/integration-guide'
import { DEFAULT_CATALOG, schema } from '@boathouse/contract/schema'
import { warehouse } from '@boathouse/contract/warehouse'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { Panel, Segmented, Select } from '../../ui/index.ts'
import styles from './integration.module.css'
import { type Chosen, NETWORKS } from './use-guide-facts.ts'

interface Props {
  readonly guide: IntegrationGuide
  readonly chosen: Chosen
  readonly hasPrivate: boolean
  readonly onChoose: (change: Partial<Chosen>) => void
}

const uses = ({ text }: IntegrationGuide, ...names: readonly string[]): boolean =>
  names.some((name) => text.includes(`{{${name}`))

/** With the one that is chosen, though it may not be there yet. */
const optionsOf = (names: readonly string[], chosen: string) =>
  [...new Set([chosen, ...names])].map((value) => ({ value, label: value }))

/** Only what the guide makes use of. */
export function ConnectionChoice({ guide, chosen, hasPrivate, onChoose }: Props) {
  const isPrivate = chosen.network === 'private'
  return (
    <Panel title={t('integration.connection.title')}>
      <p className={styles['muted']}>{t('integration.connection.lead')}</p>
      <div className={styles['choice']}>
        <div className={styles['network']}>
          <span>{t('integration.connection.network')}</span>
          <Segmented
            label={t('integration.connection.network')}
            value={chosen.network}
            segments={NETWORKS.map((value) => ({ value, label: t(`integration.connection.${value}`) }))}
            onChange={(network) => onChoose({ network })}
          />
        </div>
        {uses(guide, 'database', 'databaseName') && <DatabaseChoice chosen={chosen} onChoose={onChoose} />}
        {uses(guide, 'table') && <TableChoice chosen={chosen} onChoose={onChoose} />}
        {uses(guide, 'warehouse') && <WarehouseChoice chosen={chosen} onChoose={onChoose} />}
      </div>
      {isPrivate && !hasPrivate && (
        <p role="status" className={styles['warning']}>
          {t('integration.connection.noPrivate')}
        </p>
      )}
    </Panel>
  )
}

type ChoiceProps = Pick<Props, 'chosen' | 'onChoose'>

function DatabaseChoice({ chosen, onChoose }: ChoiceProps) {
  const { data } = useCall(schema.databases, { catalog: DEFAULT_CATALOG }, { silent: true })
  return (
    <Select
      label={t('integration.connection.database')}
      searchable
      options={optionsOf(data?.list.map(({ name }) => name) ?? [], chosen.databaseName)}
      value={chosen.databaseName}
      onChange={(databaseName) => onChoose({ databaseName })}
    />
  )
}

function TableChoice({ chosen, onChoose }: ChoiceProps) {
  const { databaseName } = chosen
  const { data } = useCall(
    schema.tables,
    { catalog: DEFAULT_CATALOG, databaseName, namesOnly: true },
    { silent: true },
  )
  return (
    <Select
      label={t('integration.connection.table')}
      searchable
      options={optionsOf(data?.names ?? [], chosen.table)}
      value={chosen.table}
      onChange={(table) => onChoose({ table })}
    />
  )
}

function WarehouseChoice({ chosen, onChoose }: ChoiceProps) {
  const { data } = useCall(warehouse.list, {}, { silent: true })
  return (
    <Select
      label={t('integration.connection.warehouse')}
      options={optionsOf(data?.warehouses.map(({ name }) => name) ?? [], chosen.warehouse)}
      value={chosen.warehouse}
      onChange={(name) => onChoose({ warehouse: name })}
    />
  )
}
