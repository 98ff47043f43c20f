import { DOORS, DURATION_CLASSES } from '@boathouse/contract/query'
import { warehouse } from '@boathouse/contract/warehouse'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { useSession } from '../../lib/session.ts'
import { Button, Segmented, Select, TextField, TimeField, Toolbar } from '../../ui/index.ts'
import { type ActivitySearch, ENDED_STATES, TIME_NAMES } from './activity-search.ts'
import styles from './activity.module.css'

interface Props {
  readonly shown: ActivitySearch
  readonly onShow: (shown: ActivitySearch) => void
}

/** Stands for no choice: a list always has one. */
const ANY = ''

/** Everything the list can be narrowed to, each in its address. */
export function ActivityFilters({ shown, onShow }: Props) {
  const change = (part: ActivitySearch) => onShow({ ...shown, ...part })
  const roles = useSession().user?.activeRoles ?? []
  return (
    <>
      <Toolbar
        search={
          <TextField
            label={t('activity.search')}
            hideLabel
            type="search"
            placeholder={t('activity.search')}
            maxLength={256}
            value={shown.text ?? ''}
            onChange={(event) => change({ text: event.target.value })}
          />
        }
      >
        <Segmented
          label={`${t('activity.filter.duration')}. ${t('activity.filter.durationHelp')}`}
          value={DURATION_CLASSES.find((one) => one === shown.duration) ?? ANY}
          segments={[
            { value: ANY, label: t('activity.filter.anyDuration') },
            ...DURATION_CLASSES.map((value) => ({ value, label: t(`activity.filter.${value}`) })),
          ]}
          onChange={(duration) => change({ duration })}
        />
        <Choice
          label={t('activity.filter.state')}
          any={t('activity.filter.anyState')}
          value={shown.state}
          options={ENDED_STATES.map((value) => ({ value, label: t(`activity.state.${value}`) }))}
          onChange={(state) => change({ state })}
        />
        <WarehouseChoice value={shown.warehouse} onChange={(name) => change({ warehouse: name })} />
        <Choice
          label={t('activity.filter.source')}
          any={t('activity.filter.anySource')}
          value={shown.door}
          options={DOORS.map((value) => ({ value, label: t(`activity.source.${value}`) }))}
          onChange={(door) => change({ door })}
        />
        <TimeChoice shown={shown} onShow={onShow} />
        <div className={styles['names']}>
          {roles.includes('account_admin') && (
            <NameChoice of="user" value={shown.user} onChange={(user) => change({ user })} />
          )}
          <NameChoice of="key" value={shown.key} onChange={(key) => change({ key })} />
        </div>
        {Object.values(shown).some(Boolean) && (
          <Button onClick={() => onShow({})}>{t('activity.filter.reset')}</Button>
        )}
      </Toolbar>
      {shown.time === 'custom' && (
        <Toolbar>
          {(['from', 'until'] as const).map((end) => (
            <TimeField
              key={end}
              label={t(`activity.filter.${end}`)}
              value={shown[end] ?? ''}
              onChange={(event) => change({ [end]: event.target.value })}
            />
          ))}
        </Toolbar>
      )}
    </>
  )
}

interface NameProps {
  readonly of: 'user' | 'key'
  readonly value: string | undefined
  readonly onChange: (value: string) => void
}

/** Also of what is gone by now. */
const NameChoice = ({ of, value, onChange }: NameProps) => (
  <div className={styles['name']}>
    <TextField
      label={t(`activity.filter.${of}`)}
      hideLabel
      placeholder={t(`activity.filter.${of}`)}
      maxLength={256}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value)}
    />
  </div>
)

interface ChoiceProps {
  readonly label: string
  readonly any: string
  readonly value: string | undefined
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly onChange: (value: string) => void
}

const Choice = ({ label, any, value, options, onChange }: ChoiceProps) => (
  <Select
    label={label}
    hideLabel
    width="fit-content"
    value={options.some((option) => option.value === value) ? (value ?? ANY) : ANY}
    options={[{ value: ANY, label: any }, ...options]}
    onChange={onChange}
  />
)

function WarehouseChoice({ value, onChange }: Pick<ChoiceProps, 'value' | 'onChange'>) {
  const known = useCall(warehouse.list, {}).data?.warehouses ?? []
  const names = known.map(({ name }) => name)
  // An address can still name one that is gone.
  if (value && !names.includes(value)) names.push(value)
  return (
    <Choice
      label={t('activity.filter.warehouse')}
      any={t('activity.filter.anyWarehouse')}
      value={value}
      options={names.map((name) => ({ value: name, label: name }))}
      onChange={onChange}
    />
  )
}

const TimeChoice = ({ shown, onShow }: Props) => (
  <Choice
    label={t('activity.filter.time')}
    any={t('activity.filter.anyTime')}
    value={shown.time}
    options={[
      ...TIME_NAMES.map((value) => ({ value, label: t(`activity.filter.${value}`) })),
      { value: 'custom', label: t('activity.filter.custom') },
    ]}
    onChange={(time) => onShow({ ...shown, time, ...(time === 'custom' ? {} : { from: '', until: '' }) })}
  />
)
