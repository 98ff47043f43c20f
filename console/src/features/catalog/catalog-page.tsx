import '../../i18n/catalog.ts'
import { type Database, schema } from '@boathouse/contract/schema'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { IconPlus } from '../../ui/icons.ts'
import { Badge, Button, Page, PageHeader, type TableColumn } from '../../ui/index.ts'
import styles from './catalog.module.css'
import { CreateDatabase } from './create-database.tsx'
import { DropDatabase } from './drop-database.tsx'
import { ListFrame } from './list-frame.tsx'
import { NameLink } from './name-link.tsx'
import { type Places, type ShownProps, usePlaces } from './places.ts'
import { RestoreSamples } from './restore-samples.tsx'
import { RowDropMenu } from './row-drop-menu.tsx'
import { useLiveSchema } from './use-live-schema.ts'
import { usePlaceActions } from './use-place-actions.ts'
import { useSearchParam } from './use-search.ts'

interface Props extends ShownProps {
  readonly catalog: string
  readonly catalogType: string
}

export function CatalogPage({ catalog, catalogType, shown, onShow }: Props) {
  useLiveSchema()
  const { databaseOf, go } = usePlaces()
  const { commonSearchParam, sort, onSort } = useSearchParam(shown)
  const [isCreating, setCreating] = useState(false)
  const [isRestoring, setRestoring] = useState(false)
  const [dropping, setDropping] = useState<Database | null>(null)
  const { has, whyNot } = usePlaceActions(catalog)
  const found = useCall(
    schema.databases,
    { catalog, commonSearchParam },
    { silent: true, placeholderData: (before) => before },
  )
  const { data } = found
  return (
    <Page>
      <PageHeader
        title={catalog}
        state={<Badge>{catalogType}</Badge>}
        facts={[data && t('catalog.databases', { count: data.total })]}
      />
      <ListFrame
        label={t('catalog.list.databases')}
        found={found}
        columns={columnsFor({ catalog, databaseOf, onDrop: setDropping })}
        rowKey={({ databaseId }) => databaseId}
        empty={t('catalog.empty.databases')}
        why={t('catalog.empty.why')}
        sort={sort}
        onSort={onSort}
        shown={shown}
        onShow={onShow}
        action={
          <>
            {has('restoreSamples') && (
              <Button
                disabled={whyNot('restoreSamples') !== undefined}
                title={whyNot('restoreSamples')}
                onClick={() => setRestoring(true)}
              >
                {t('catalog.samples.action')}
              </Button>
            )}
            <Button
              variant="primary"
              leftIcon={<IconPlus size={16} aria-hidden />}
              disabled={whyNot('createDatabase') !== undefined}
              title={whyNot('createDatabase')}
              onClick={() => setCreating(true)}
            >
              {t('catalog.createDatabase.action')}
            </Button>
          </>
        }
      />
      {isCreating && (
        <CreateDatabase
          catalog={catalog}
          onClose={() => setCreating(false)}
          onCreated={(name) => go(databaseOf(name))}
        />
      )}
      {isRestoring && <RestoreSamples replaces={false} onClose={() => setRestoring(false)} />}
      {dropping && <DropDatabase catalog={catalog} of={dropping} onClose={() => setDropping(null)} />}
    </Page>
  )
}

interface Acting {
  readonly catalog: string
  readonly databaseOf: Places['databaseOf']
  readonly onDrop: (database: Database) => void
}

const columnsFor = ({ catalog, databaseOf, onDrop }: Acting): readonly TableColumn<Database>[] => [
  {
    key: 'name',
    header: t('catalog.column.name'),
    sortsBy: ({ name }) => name,
    cell: ({ name, permanent }) => (
      <span className={styles['named']}>
        <NameLink name={name} address={databaseOf(name)} />
        {permanent && <Badge>{t('catalog.permanent')}</Badge>}
      </span>
    ),
  },
  {
    key: 'tables',
    header: t('catalog.column.tables'),
    align: 'end',
    cell: ({ tables }) => tables ?? t('catalog.unknown'),
  },
  {
    key: 'actions',
    header: t('catalog.column.actions'),
    hideHeader: true,
    align: 'end',
    cell: (one) => (
      <RowDropMenu
        name={one.name}
        asked={{ catalog, databaseName: one.name }}
        disabled={one.permanent === true}
        onDrop={() => onDrop(one)}
      />
    ),
  },
]
