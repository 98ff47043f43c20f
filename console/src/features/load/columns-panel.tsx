import type { Inspection, LoadColumn } from '@boathouse/contract/load'
import type { ReactNode } from 'react'
import { t } from '../../i18n/texts.ts'
import { formatBytes } from '../../lib/format.ts'
import {
  Checkbox,
  DataTable,
  NameField,
  Panel,
  Select,
  type TableColumn as ShownColumn,
} from '../../ui/index.ts'
import type { TableColumn } from './chosen-columns.ts'
import styles from './load.module.css'

interface Props {
  readonly inspection: Inspection
  readonly columns: readonly LoadColumn[]
  /** Of a table that is there; null: it is made. */
  readonly table: readonly TableColumn[] | null
  readonly onChange: (at: number, part: Partial<LoadColumn>) => void
  /** What to know before they are chosen. */
  readonly children: ReactNode
}

/** Further columns cannot be changed here, and are loaded as detected. */
const MOST_SHOWN = 100
const TYPES = [
  'BIGINT',
  'INTEGER',
  'DOUBLE',
  'DECIMAL(18,2)',
  'VARCHAR',
  'BOOLEAN',
  'DATE',
  'TIME',
  'TIMESTAMP',
  'TIMESTAMP WITH TIME ZONE',
  'UUID',
  'JSON',
]
const LEFT_OUT = ''

interface Line extends LoadColumn {
  readonly at: number
}

/** The type that was found first, then those that are common. */
const typesFor = (found: string) =>
  [found, ...TYPES.filter((type) => type !== found)].map((value) => ({ value, label: value }))

/** Where each column of the file goes, as what it is read, and how well that fits. */
export function ColumnsPanel({ inspection, columns, table, onChange, children }: Props) {
  const lines = columns.slice(0, MOST_SHOWN).map((column, at): Line => ({ ...column, at }))
  const more = columns.length - lines.length
  const shown = [
    inFile(),
    ...(table ? mapped(table, onChange) : renamed(inspection, onChange)),
    ...(table ? [] : [fit(inspection)]),
    misfits(onChange),
  ]
  return (
    <Panel title={t('load.columns.title')}>
      <div className={styles['stack']}>
        <p className={styles['note']}>{noteOn(inspection)}</p>
        {children}
        <DataTable label={t('load.columns.title')} columns={shown} rows={lines} rowKey={({ at }) => at} />
        {more > 0 && <p className={styles['note']}>{t('load.columns.more', { count: more })}</p>}
      </div>
    </Panel>
  )
}

const noteOn = ({ sampledBytes }: Inspection): string =>
  sampledBytes === null
    ? t('load.columns.note')
    : t('load.columns.noteSample', { size: formatBytes(sampledBytes) })

type Changed = Props['onChange']

const inFile = (): ShownColumn<Line> => ({
  key: 'name',
  header: t('load.columns.inFile'),
  cell: ({ name }) => <code>{name}</code>,
})

const TEXT = 'VARCHAR'

/** How many values have the type: all of a detected one, and most of one that a few values spoil. */
const fit = (inspection: Inspection): ShownColumn<Line> => ({
  key: 'fit',
  header: t('load.columns.fit'),
  cell: ({ at, type, into }) => (
    <span className={styles['none']}>{into === null ? '' : fitOf(inspection, at, type)}</span>
  ),
})

function fitOf({ columns, spoiled }: Inspection, at: number, type: string): string {
  const { name, type: detected, values } = columns[at] ?? { name: '', type: '', values: null }
  const nearly = spoiled.find(({ column }) => column === name)
  if (nearly && [nearly.type, detected].includes(type)) {
    const share = Math.floor(((nearly.values - nearly.misfits) / nearly.values) * 1000) / 10
    return t('load.columns.fitNearly', { percent: share, type: nearly.type })
  }
  if (type !== detected) return t('load.columns.fitUnknown')
  if (values === null) return ''
  return values === 0
    ? t('load.columns.fitEmpty')
    : t('load.columns.fitAll', { count: values, values: values.toLocaleString('en') })
}

/** A text takes every value. */
const misfits = (onChange: Changed): ShownColumn<Line> => ({
  key: 'misfits',
  header: t('load.columns.misfits'),
  cell: ({ at, name, type, into, misfits: chosen }) =>
    into === null || type === TEXT ? null : (
      <Select
        label={t('load.columns.misfitsOf', { name })}
        hideLabel
        width={150}
        options={(['reject', 'null'] as const).map((value) => ({
          value,
          label: t(`load.columns.misfitsAs.${value}`),
        }))}
        value={chosen}
        onChange={(value) => onChange(at, { misfits: value === 'null' ? 'null' : 'reject' })}
      />
    ),
})

/** Into a new table: under a name and a type that can be changed. */
const renamed = (inspection: Inspection, onChange: Changed): ShownColumn<Line>[] => [
  {
    key: 'loads',
    header: t('load.columns.loads'),
    cell: ({ at, name, into }) => (
      <Checkbox
        label={t('load.columns.loadsOne', { name })}
        hideLabel
        checked={into !== null}
        onChange={(isLoaded) => onChange(at, { into: isLoaded ? name || `column_${at + 1}` : null })}
      />
    ),
  },
  {
    key: 'into',
    header: t('load.columns.into'),
    cell: ({ at, name, into }) =>
      into === null ? (
        <span className={styles['none']}>{t('load.columns.leftOut')}</span>
      ) : (
        <NameField
          label={t('load.columns.intoOf', { name })}
          hideLabel
          maxLength={256}
          value={into}
          onChange={(event) => onChange(at, { into: event.target.value })}
        />
      ),
  },
  {
    key: 'type',
    header: t('load.columns.type'),
    cell: ({ at, name, type, into }) => (
      <Select
        label={t('load.columns.typeOf', { name })}
        hideLabel
        width={240}
        disabled={into === null}
        options={typesFor(inspection.columns[at]?.type ?? type)}
        value={type}
        onChange={(chosen) => onChange(at, { type: chosen })}
      />
    ),
  },
]

/** Into a table that is there: one of its columns, with the type that it has. */
const mapped = (table: readonly TableColumn[], onChange: Changed): ShownColumn<Line>[] => {
  const options = [
    { value: LEFT_OUT, label: t('load.columns.leftOut') },
    ...table.map(({ name }) => ({ value: name, label: name })),
  ]
  return [
    {
      key: 'into',
      header: t('load.columns.into'),
      cell: ({ at, name, into }) => (
        <Select
          label={t('load.columns.intoOf', { name })}
          hideLabel
          width={240}
          options={options}
          value={into ?? LEFT_OUT}
          onChange={(chosen) => onChange(at, { into: chosen === LEFT_OUT ? null : chosen })}
        />
      ),
    },
    {
      key: 'type',
      header: t('load.columns.type'),
      cell: ({ into }) => (
        <span className={styles['none']}>{table.find(({ name }) => name === into)?.type ?? ''}</span>
      ),
    },
  ]
}

export const Cell = ({ text }: { text: string | null }) =>
  text === null ? <span className={styles['none']}>NULL</span> : <code title={text}>{text}</code>
