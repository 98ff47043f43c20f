import { schema } from '@boathouse/contract/schema'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { Button, DataTable, EmptyState, Skeleton, Stack, type TableColumn } from '../../ui/index.ts'
import styles from './catalog.module.css'
import { FetchFailed } from './fetch-failed.tsx'
import { usePlaces } from './places.ts'
import { inputOf, type ThisObject } from './this-object.ts'

interface Row {
  readonly at: number
  readonly cells: readonly (string | null)[]
}

const columnOf = (
  { name, family }: { readonly name: string; readonly family: string },
  index: number,
): TableColumn<Row> => ({
  key: String(index),
  header: name,
  ...(family === 'number' ? { align: 'end' } : {}),
  ...(family === 'number' ? {} : { leastPx: 80 }),
  cell: ({ cells }) => <Cell text={cells[index] ?? null} />,
})

interface Props {
  readonly of: ThisObject
  /** Why no data can be loaded into it; empty: it can. */
  readonly fixed: string
}

/** Some rows, read without a warehouse. */
export function SampleTab({ of, fixed }: Props) {
  const { data, error, refetch } = useCall(schema.sample, inputOf(of), { silent: true })
  if (error)
    return <FetchFailed error={error} what={t('catalog.detail.theSample')} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={220} />
  if (data.rows.length === 0) return <NoRows of={of} fixed={fixed} />
  const rows = data.rows.map((cells, at): Row => ({ at, cells }))
  return (
    <Stack>
      <DataTable
        wide
        label={t('catalog.detail.theSample')}
        rows={rows}
        rowKey={({ at }) => at}
        columns={data.columns.map(columnOf)}
      />
      <p className={styles['note']}>
        {data.truncated
          ? t('catalog.detail.sampleNote', { count: rows.length })
          : t('catalog.detail.sampleAll', { count: rows.length })}
      </p>
    </Stack>
  )
}

function NoRows({ of: { type, database, name }, fixed }: Props) {
  const { go, loadInto } = usePlaces()
  const isTable = type === 'table'
  const load = isTable && fixed === '' && (
    <Button onClick={() => go(loadInto({ database, table: name }))}>{t('catalog.loadData')}</Button>
  )
  return (
    <EmptyState title={t('catalog.detail.noRows')} actions={load}>
      <p>{t(isTable ? 'catalog.detail.noRowsInTable' : 'catalog.detail.noRowsInView')}</p>
    </EmptyState>
  )
}

const Cell = ({ text }: { text: string | null }) =>
  text === null ? <span className={styles['none']}>NULL</span> : <code title={text}>{text}</code>
