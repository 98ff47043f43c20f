import { LIMITS } from '@boathouse/contract/limits'
import { DEFAULT_WAREHOUSE_NAME } from '@boathouse/contract/warehouse'
import { t } from '../../i18n/texts.ts'
import { NameField, Select, Switch, TextField } from '../../ui/index.ts'
import { useEngineChoice } from './use-sizes.ts'
import type { WarehouseFormState } from './use-warehouse-form.ts'
import styles from './warehouse.module.css'

interface Props {
  readonly form: WarehouseFormState
}

export function NameFields({ form: { existing, draft, watched, change } }: Props) {
  const isFixed = existing?.name === DEFAULT_WAREHOUSE_NAME
  return (
    <>
      <NameField
        {...watched('name')}
        label={t('warehouse.form.name')}
        help={
          isFixed
            ? t('warehouse.form.nameFixed')
            : t('warehouse.form.nameHelp', { most: LIMITS.warehouseNameLength })
        }
        name="name"
        data-autofocus
        disabled={isFixed}
        value={draft.name}
        onChange={(event) => change({ name: event.target.value })}
      />
      <TextField
        label={t('warehouse.form.description')}
        {...watched('description')}
        name="description"
        value={draft.description}
        onChange={(event) => change({ description: event.target.value })}
      />
    </>
  )
}

/** Of a new warehouse, where there are several kinds of engines. */
export function EngineField({ form: { existing, draft, change } }: Props) {
  const engines = useEngineChoice()
  if (existing || engines.length === 0) return null
  return (
    <Select
      label={t('warehouse.form.engine')}
      value={draft.engine ?? engines[0]?.id ?? ''}
      options={engines.map(({ id, label }) => ({ value: id, label }))}
      onChange={(engine) => change({ engine })}
    />
  )
}

/** When it suspends, and whether a statement resumes it. */
export const IdleFields = ({ form: { draft, watched, change } }: Props) => (
  <>
    <Switch
      label={t('warehouse.form.autoSuspend')}
      help={t('warehouse.form.autoSuspendHelp')}
      checked={draft.suspends}
      onChange={(suspends) => change({ suspends })}
    />
    {draft.suspends && (
      <div className={styles['dependent']}>
        <TextField
          label={t('warehouse.form.idleMinutes')}
          {...watched('idleMinutes')}
          name="idleMinutes"
          inputMode="numeric"
          value={draft.idleMinutes}
          onChange={(event) => change({ idleMinutes: event.target.value })}
        />
      </div>
    )}
    <Switch
      label={t('warehouse.form.autoResume')}
      help={t('warehouse.form.autoResumeHelp')}
      checked={draft.autoResume}
      onChange={(autoResume) => change({ autoResume })}
    />
  </>
)
