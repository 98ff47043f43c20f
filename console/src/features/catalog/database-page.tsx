import '../../i18n/catalog.ts'
import { schema } from '@boathouse/contract/schema'
import type { MaterializedView } from '@boathouse/contract/materialized-views'
import type { TableLike } from '@boathouse/contract/schema-objects'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { formatBytes } from '../../lib/format.ts'
import { IconDatabaseImport, IconDots, IconPlus, IconTrash } from '../../ui/icons.ts'
import {
  Button,
  IconButton,
  Menu,
  type MenuEntry,
  Page,
  PageHeader,
  Segmented,
  type TableColumn,
} from '../../ui/index.ts'
import { CreateTable } from './create-table.tsx'
import { CreateView } from './create-view.tsx'
import { DropDatabase } from './drop-database.tsx'
import { DropObject } from './drop-object.tsx'
import { ListFrame } from './list-frame.tsx'
import { CreateMaterialized, refreshColumns } from './materialized-list.tsx'
import { NameLink } from './name-link.tsx'
import { type Places, type ShownProps, usePlaces } from './places.ts'
import { RestoreSamples } from './restore-samples.tsx'
import { RowDropMenu } from './row-drop-menu.tsx'
import { type ThisObject, typeName } from './this-object.ts'
import { useLiveSchema } from './use-live-schema.ts'
import { usePlaceActions } from './use-place-actions.ts'
import { useSearchParam } from './use-search.ts'

interface Props extends ShownProps {
  readonly catalog: string
  readonly database: string
  readonly onGone: () => void
}

interface Listed {
  readonly name: string
  /** Of a table, once it is known. */
  readonly bytes?: number | undefined
  readonly materialized?: MaterializedView
}

const KINDS: readonly TableLike[] = ['table', 'view', 'materialized_view']

/** One row is enough: its answer has the total. */
const COUNT = { limit: 1 }

/** Tables, views and materialized views of a database, a kind at a time, each searched and paged by the service. */
export function DatabasePage({ catalog, database, shown, onShow, onGone }: Props) {
  useLiveSchema()
  const places = usePlaces()
  const kind = KINDS.find((one) => one === shown.tab) ?? 'table'
  const [isCreating, setCreating] = useState(false)
  const [isDropping, setDropping] = useState(false)
  const [isRestoring, setRestoring] = useState(false)
  const may = usePlaceActions(catalog, database)
  const [dropped, setDropped] = useState<ThisObject | null>(null)
  const { found, sort, onSort, counts } = useObjects({ catalog, database, kind, shown })
  const objectAt = (name: string): ThisObject => ({ catalog, database, type: kind, name })
  const total = totalOf(counts)
  return (
    <Page>
      <PageHeader
        title={database}
        facts={[catalog, total !== undefined && t('catalog.objects', { count: total })]}
        actions={
          <>
            <Button
              leftIcon={<IconDatabaseImport size={16} aria-hidden />}
              disabled={may.whyNot('loadData') !== undefined}
              title={may.whyNot('loadData')}
              onClick={() => places.go(places.loadInto({ database }))}
            >
              {t('catalog.loadData')}
            </Button>
            <DatabaseMenu
              database={database}
              may={may}
              onDrop={() => setDropping(true)}
              onRestore={() => setRestoring(true)}
            />
          </>
        }
      />
      <ListFrame
        label={t('catalog.list.objects')}
        found={found}
        columns={columnsFor({
          kind,
          catalog,
          database,
          places,
          onDrop: (name) => setDropped(objectAt(name)),
        })}
        rowKey={({ name }) => name}
        empty={t(`catalog.empty.${kind}`)}
        why={t('catalog.empty.why')}
        sort={sort}
        onSort={onSort}
        shown={shown}
        onShow={onShow}
        filter={
          <Segmented
            label={t('catalog.kind')}
            value={kind}
            segments={segmentsOf(counts)}
            onChange={(tab) => onShow({ ...shown, tab, page: '' })}
          />
        }
        action={<CreateObject {...{ kind, catalog, database, may }} onCreate={() => setCreating(true)} />}
      />
      {isCreating && (
        <CreateDialog {...{ kind, catalog, database, places }} onClose={() => setCreating(false)} />
      )}
      {isDropping && (
        <DropDatabase
          catalog={catalog}
          of={{ name: database, ...(total === undefined ? {} : { tables: total }) }}
          onClose={() => setDropping(false)}
          onDropped={onGone}
        />
      )}
      {isRestoring && <RestoreSamples replaces onClose={() => setRestoring(false)} />}
      {dropped && <DropObject of={dropped} onClose={() => setDropped(null)} />}
    </Page>
  )
}

type Counts = Readonly<Record<TableLike, number | undefined>>

/** Undefined until all are counted. */
const totalOf = (counts: Counts): number | undefined =>
  KINDS.reduce<number | undefined>((sum, one) => {
    const count = counts[one]
    return sum === undefined || count === undefined ? undefined : sum + count
  }, 0)

function segmentsOf(counts: Counts) {
  const names = {
    table: t('catalog.tables'),
    view: t('catalog.views'),
    materialized_view: t('catalog.materializedViews'),
  }
  return KINDS.map((value) => {
    const count = counts[value]
    return { value, label: names[value], ...(count === undefined ? {} : { count }) }
  })
}

interface CreateProps {
  readonly kind: TableLike
  readonly catalog: string
  readonly database: string
  readonly may: ReturnType<typeof usePlaceActions>
  readonly onCreate: () => void
}

function CreateObject({ kind, catalog, database, may, onCreate }: CreateProps) {
  if (kind === 'materialized_view')
    return (
      <CreateMaterialized
        catalog={catalog}
        database={database}
        whyNot={may.whyNot('createMaterializedView')}
      />
    )
  const creates = kind === 'view' ? 'createView' : 'createTable'
  return (
    <Button
      variant="primary"
      leftIcon={<IconPlus size={16} aria-hidden />}
      disabled={may.whyNot(creates) !== undefined}
      title={may.whyNot(creates)}
      onClick={onCreate}
    >
      {t(`catalog.${creates}.action`)}
    </Button>
  )
}

interface CreateDialogProps {
  readonly kind: TableLike
  readonly catalog: string
  readonly database: string
  readonly places: Places
  readonly onClose: () => void
}

function CreateDialog({ kind, catalog, database, places, onClose }: CreateDialogProps) {
  if (kind === 'materialized_view') return null
  const Dialog = kind === 'view' ? CreateView : CreateTable
  return (
    <Dialog
      catalog={catalog}
      database={database}
      onClose={onClose}
      onCreated={(name) => places.go(places.objectOf({ database, name, type: kind }))}
    />
  )
}

interface Asked {
  readonly catalog: string
  readonly database: string
  readonly kind: TableLike
  readonly shown: ShownProps['shown']
}

function useObjects({ catalog, database, kind, shown }: Asked) {
  const { commonSearchParam, sort, onSort } = useSearchParam(shown)
  const place = { catalog, databaseName: database }
  const asked = { ...place, commonSearchParam }
  const options = { silent: true, placeholderData: <T,>(before: T) => before }
  const tables = useCall(schema.tables, asked, { ...options, enabled: kind === 'table' })
  const views = useCall(schema.views, asked, { ...options, enabled: kind === 'view' })
  const materialized = useCall(schema.materializedViews, asked, {
    ...options,
    enabled: kind === 'materialized_view',
  })
  const inTables = useCall(schema.tables, { ...place, commonSearchParam: COUNT }, { silent: true })
  const inViews = useCall(schema.views, { ...place, commonSearchParam: COUNT }, { silent: true })
  const inMaterialized = useCall(
    schema.materializedViews,
    { ...place, commonSearchParam: COUNT },
    { silent: true },
  )
  const listed: readonly Listed[] | undefined = {
    table: tables.data?.list.map(({ tableName }) => ({ name: tableName })),
    view: views.data?.list,
    materialized_view: materialized.data?.list.map((one) => ({ name: one.mvName, materialized: one })),
  }[kind]
  const sizes = useSizes(place, kind === 'view' ? [] : (listed ?? []))
  const list = listed?.map((one) => ({ ...one, bytes: sizes.get(one.name) }))
  const { data, error, refetch } = { table: tables, view: views, materialized_view: materialized }[kind]
  return {
    found: { data: list && data ? { list, total: data.total } : undefined, error, refetch },
    counts: {
      table: inTables.data?.total,
      view: inViews.data?.total,
      materialized_view: inMaterialized.data?.total,
    },
    sort,
    onSort,
  }
}

/** By name. They are loaded after the list, which does not wait for them. */
function useSizes(place: { catalog: string; databaseName: string }, listed: readonly Listed[]) {
  const tableNames = listed.map(({ name }) => name)
  const { data } = useCall(
    schema.tableSizes,
    { ...place, tableNames },
    { silent: true, enabled: tableNames.length > 0, throwOnError: false },
  )
  return new Map(data?.list.map(({ tableName, bytes }) => [tableName, bytes]))
}

interface MenuProps {
  readonly database: string
  readonly may: ReturnType<typeof usePlaceActions>
  readonly onDrop: () => void
  readonly onRestore: () => void
}

function DatabaseMenu({ database, may: { has, whyNot }, onDrop, onRestore }: MenuProps) {
  const restore: MenuEntry = {
    label: t('catalog.samples.action'),
    icon: <IconDatabaseImport size={16} stroke={1.6} aria-hidden />,
    reason: whyNot('restoreSamples'),
    onSelect: onRestore,
  }
  return (
    <Menu
      label={t('catalog.actionsOf', { name: database })}
      width={208}
      entries={[
        ...(has('restoreSamples') ? [restore] : []),
        {
          label: t('catalog.drop.databaseConfirm'),
          icon: <IconTrash size={16} stroke={1.6} aria-hidden />,
          danger: true,
          reason: whyNot('dropDatabase'),
          onSelect: onDrop,
        },
      ]}
      trigger={
        <IconButton label={t('catalog.actionsOf', { name: database })}>
          <IconDots size={16} aria-hidden />
        </IconButton>
      }
    />
  )
}

interface Acting {
  readonly kind: TableLike
  readonly catalog: string
  readonly database: string
  readonly places: Places
  readonly onDrop: (name: string) => void
}

const sizeColumn = (): TableColumn<Listed> => ({
  key: 'size',
  header: t('catalog.column.size'),
  align: 'end',
  cell: ({ bytes }) => (bytes === undefined ? t('catalog.unknown') : formatBytes(bytes)),
})

const columnsFor = ({ kind, catalog, database, places, onDrop }: Acting): readonly TableColumn<Listed>[] => [
  {
    key: 'name',
    header: t('catalog.column.name'),
    sortsBy: ({ name }) => name,
    cell: ({ name }) => <NameLink name={name} address={places.objectOf({ database, name, type: kind })} />,
  },
  {
    key: 'type',
    header: t('catalog.column.type'),
    cell: () => typeName(kind),
  },
  ...(kind === 'view' ? [] : [sizeColumn()]),
  ...(kind === 'materialized_view' ? refreshColumns() : []),
  {
    key: 'actions',
    header: t('catalog.column.actions'),
    hideHeader: true,
    align: 'end',
    cell: ({ name }) => (
      <RowDropMenu
        name={name}
        asked={{ catalog, databaseName: database, object: { type: kind, name } }}
        onDrop={() => onDrop(name)}
      />
    ),
  },
]
