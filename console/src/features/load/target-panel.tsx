import { LIMITS } from '@boathouse/contract/limits'
import { LOAD_WRITES, type LoadWrites } from '@boathouse/contract/load'
import { schema } from '@boathouse/contract/schema'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import {
  Button,
  Checkboxes,
  NameField,
  Panel,
  Refusal,
  Segmented,
  Select,
  TextField,
  type useProblems,
} from '../../ui/index.ts'
import styles from './load.module.css'

/** Where a file goes. */
export interface Target {
  readonly makesTable: boolean
  readonly tableName: string
  /** As it is typed. */
  readonly mostRejected: string
  /** Where a later value does not fit a detected type, the column is widened; otherwise the row is rejected. */
  readonly widens: boolean
  /** What becomes of the rows of a table that is there. */
  readonly writes: LoadWrites
  readonly keys: readonly string[]
}

interface Props {
  readonly catalog: string
  readonly database: string
  readonly target: Target
  /** Columns of the table that get values. */
  readonly loaded: readonly string[]
  /** Types were detected in the beginning of the file. */
  readonly isSample: boolean
  /** What is wrong with a field, once it was left. */
  readonly watched: ReturnType<typeof useProblems>['of']
  readonly onChange: (target: Target) => void
}

const MOST_LISTED = 100
const [WIDENS, REJECTS] = ['widens', 'rejects']

/** A new table by its name, or one that is there. */
export function TargetPanel({ catalog, database, target, loaded, isSample, watched, onChange }: Props) {
  const { makesTable, tableName, mostRejected, widens } = target
  const kinds = [
    { value: 'new', label: t('load.target.new') },
    { value: 'existing', label: t('load.target.existing') },
  ] as const
  return (
    <Panel title={t('load.target.title')}>
      <div className={styles['stack']}>
        <div>
          <Segmented
            label={t('load.target.kind')}
            value={makesTable ? 'new' : 'existing'}
            segments={kinds}
            onChange={(kind) =>
              onChange({ ...target, makesTable: kind === 'new', tableName: '', writes: 'append', keys: [] })
            }
          />
        </div>
        <div className={styles['fields']}>
          {makesTable ? (
            <NameField
              {...watched('tableName')}
              label={t('load.target.name')}
              maxLength={256}
              value={tableName}
              onChange={(event) => onChange({ ...target, tableName: event.target.value })}
            />
          ) : (
            <TableSelect
              catalog={catalog}
              database={database}
              value={tableName}
              onChange={(name) => onChange({ ...target, tableName: name, keys: [] })}
            />
          )}
          {!makesTable && <ExistingRows target={target} loaded={loaded} onChange={onChange} />}
          {makesTable && isSample && (
            <Select
              label={t('load.target.misfits')}
              width={230}
              options={[
                { value: WIDENS, label: t('load.target.widens') },
                { value: REJECTS, label: t('load.target.rejects') },
              ]}
              value={widens ? WIDENS : REJECTS}
              onChange={(chosen) => onChange({ ...target, widens: chosen === WIDENS })}
            />
          )}
          <TextField
            {...watched('mostRejected')}
            label={t('load.target.rejected')}
            inputMode="numeric"
            help={t('load.target.rejectedHelp', { most: LIMITS.rejectedRows })}
            value={mostRejected}
            onChange={(event) => onChange({ ...target, mostRejected: event.target.value })}
          />
        </div>
      </div>
    </Panel>
  )
}

const MOST_KEYS = 100

/** They stay, all of them are replaced, or those with the same key. */
function ExistingRows({ target, loaded, onChange }: Pick<Props, 'target' | 'loaded' | 'onChange'>) {
  const { writes, keys } = target
  const chosen = keys.filter((key) => loaded.includes(key))
  return (
    <>
      <Select
        label={t('load.target.writes')}
        width="min(280px, 100%)"
        options={LOAD_WRITES.map((value) => ({ value, label: t(`load.target.writesAs.${value}`) }))}
        value={writes}
        onChange={(value) =>
          onChange({ ...target, writes: LOAD_WRITES.find((one) => one === value) ?? 'append', keys: [] })
        }
      />
      {writes === 'upsert' && loaded.length > 0 && (
        <Checkboxes
          label={t('load.target.keys')}
          options={loaded.slice(0, MOST_KEYS)}
          value={chosen}
          onChange={(next) => onChange({ ...target, keys: next })}
        />
      )}
      {writes === 'replace' && <p className={styles['note']}>{t('load.target.replaceNote')}</p>}
    </>
  )
}

interface SelectProps {
  readonly catalog: string
  readonly database: string
  readonly value: string
  readonly error?: string | undefined
  readonly onChange: (name: string) => void
}

/** One of the tables of a database. */
export function TableSelect({ catalog, database, value, error, onChange }: SelectProps) {
  const [search, setSearch] = useState('')
  const { data } = useCall(
    schema.tables,
    { catalog, databaseName: database, commonSearchParam: { search, limit: MOST_LISTED } },
    { placeholderData: (before) => before },
  )
  const names = data?.list.map(({ tableName }) => tableName) ?? []
  return (
    <Select
      label={t('load.target.table')}
      width="min(280px, 100%)"
      error={error}
      searchable
      onSearch={setSearch}
      placeholder={t('load.target.chooseTable')}
      options={names.map((name) => ({ value: name, label: name }))}
      value={value === '' ? null : value}
      onChange={onChange}
    />
  )
}

interface StartProps {
  readonly refusal: string | undefined
  readonly isStarting: boolean
  /** It starts when the file has arrived. */
  readonly isChosen: boolean
  /** It was loaded before, and failed. */
  readonly isAgain: boolean
  readonly onStart: () => void
  readonly onChange: () => void
}

export const StartLoad = ({ refusal, isStarting, isChosen, isAgain, onStart, onChange }: StartProps) => (
  <div className={styles['stack']}>
    <Refusal text={refusal} />
    {isChosen && (
      <p role="status" className={styles['note']}>
        {t('load.target.startsLater')}
      </p>
    )}
    <div>
      {isChosen ? (
        <Button onClick={onChange}>{t('load.target.notYet')}</Button>
      ) : (
        <Button variant="primary" loading={isStarting} onClick={onStart}>
          {t(isAgain ? 'load.target.again' : 'load.target.start')}
        </Button>
      )}
    </div>
  </div>
)
