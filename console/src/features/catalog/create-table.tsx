import { LIMITS } from '@boathouse/contract/limits'
import { schema } from '@boathouse/contract/schema'
import { NewTable } from '@boathouse/contract/schema-changes'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useNewQuery } from '../../lib/new-query.ts'
import { IconPlus, IconTrash } from '../../ui/icons.ts'
import { Button, Checkbox, IconButton, NameField, useProblems } from '../../ui/index.ts'
import styles from './catalog.module.css'
import { CatalogDialog } from './catalog-dialog.tsx'
import { usePlaces } from './places.ts'
import { tableSql } from './table-sql.ts'
import { useChange } from './use-live-schema.ts'

interface Props {
  readonly catalog: string
  readonly database: string
  readonly onClose: () => void
  readonly onCreated: (name: string) => void
}

/** A column as it is typed; `id` tells lines apart that have the same name. */
export interface TypedColumn {
  readonly id: number
  readonly name: string
  readonly type: string
  readonly default: string
  readonly nullable: boolean
  readonly primaryKey: boolean
}

const newColumn = (id: number): TypedColumn => ({
  id,
  name: '',
  type: 'VARCHAR',
  default: '',
  nullable: true,
  primaryKey: false,
})

const TYPES = ['BIGINT', 'INTEGER', 'DOUBLE', 'DECIMAL(18,2)', 'VARCHAR', 'BOOLEAN', 'DATE', 'TIMESTAMP']

/** By a form, or by the statement that it makes. */
export function CreateTable({ catalog, database, onClose, onCreated }: Props) {
  const { openTab } = usePlaces()
  const [tableName, setTableName] = useState('')
  const [columns, setColumns] = useState<readonly TypedColumn[]>([newColumn(0)])
  const create = useChange(schema.createTable)
  const asTab = useNewQuery()
  const change = (id: number, part: Partial<TypedColumn>) =>
    setColumns((before) => before.map((one) => (one.id === id ? { ...one, ...part } : one)))
  const add = () =>
    setColumns((before) => [...before, newColumn(1 + Math.max(...before.map(({ id }) => id)))])

  const table = NewTable.safeParse({ catalog, databaseName: database, tableName, columns })
  const problems = useProblems(
    Object.fromEntries(table.error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? []),
  )
  const confirm = async () => {
    if (!problems.accept() || !table.success) return false
    await create.mutateAsync(table.data)
    onCreated(tableName)
    return true
  }
  const openAsSql = () =>
    asTab.mutate(
      { tabName: t('catalog.createTable.tab'), sql: tableSql({ catalog, database, tableName, columns }) },
      { onSuccess: openTab },
    )
  return (
    <CatalogDialog
      width={720}
      title={t('catalog.createTable.title', { database })}
      confirmLabel={t('catalog.createTable.action')}
      onConfirm={confirm}
      onClose={onClose}
      aside={
        <Button variant="subtle" loading={asTab.isPending} onClick={openAsSql}>
          {t('catalog.createTable.asSql')}
        </Button>
      }
    >
      <NameField
        {...problems.of('tableName')}
        label={t('catalog.column.name')}
        data-autofocus
        value={tableName}
        onChange={(event) => setTableName(event.target.value)}
      />
      <datalist id="catalog-column-types">
        {TYPES.map((type) => (
          <option key={type} value={type}>
            {type}
          </option>
        ))}
      </datalist>
      <fieldset className={styles['columns']}>
        <legend>{t('catalog.createTable.columns')}</legend>
        {columns.map((column, index) => (
          <ColumnLine
            key={column.id}
            column={column}
            number={index + 1}
            watched={(part) => problems.of(`columns.${index}.${part}`)}
            onChange={(part) => change(column.id, part)}
            onRemove={
              columns.length > 1
                ? () => setColumns((before) => before.filter(({ id }) => id !== column.id))
                : undefined
            }
          />
        ))}
      </fieldset>
      <div>
        <Button
          size="sm"
          leftIcon={<IconPlus size={14} aria-hidden />}
          disabled={columns.length >= LIMITS.columnsOfForm}
          onClick={add}
        >
          {t('catalog.createTable.addColumn')}
        </Button>
      </div>
    </CatalogDialog>
  )
}

interface LineProps {
  readonly column: TypedColumn
  /** From 1, for those who hear the form. */
  readonly number: number
  /** What is wrong with a part, once it was left. */
  readonly watched: (part: 'name' | 'type' | 'default') => ReturnType<ReturnType<typeof useProblems>['of']>
  readonly onChange: (part: Partial<TypedColumn>) => void
  readonly onRemove: (() => void) | undefined
}

function ColumnLine({ column, number, watched, onChange, onRemove }: LineProps) {
  const label = (what: string) => t('catalog.createTable.ofColumn', { what, number })
  const field = (key: 'name' | 'type' | 'default', what: string) => (
    <NameField
      {...watched(key)}
      label={label(what)}
      hideLabel
      placeholder={what}
      value={column[key]}
      {...(key === 'type' ? { list: 'catalog-column-types' } : {})}
      onChange={(event) => onChange({ [key]: event.target.value })}
    />
  )
  const tick = (key: 'nullable' | 'primaryKey', what: string) => (
    <Checkbox
      label={label(what)}
      text={what}
      checked={column[key]}
      onChange={(isChecked) => onChange({ [key]: isChecked })}
    />
  )
  return (
    <div className={styles['line']}>
      {field('name', t('catalog.column.name'))}
      {field('type', t('catalog.column.type'))}
      {field('default', t('catalog.column.default'))}
      {tick('nullable', t('catalog.column.nullable'))}
      {tick('primaryKey', t('catalog.column.key'))}
      <IconButton
        label={t('catalog.createTable.removeColumn', { number })}
        size="sm"
        disabled={!onRemove}
        onClick={() => onRemove?.()}
      >
        <IconTrash size={15} aria-hidden />
      </IconButton>
    </div>
  )
}
