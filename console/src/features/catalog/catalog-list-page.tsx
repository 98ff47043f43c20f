import '../../i18n/catalog.ts'
import { type Catalog, schema } from '@boathouse/contract/schema'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { PageHeader, type TableColumn } from '../../ui/index.ts'
import styles from './catalog.module.css'
import { ListFrame } from './list-frame.tsx'
import { NameLink } from './name-link.tsx'
import { type Places, type ShownProps, usePlaces } from './places.ts'
import { useLiveSchema } from './use-live-schema.ts'
import { useSearchParam } from './use-search.ts'

/** CATALOG-01, CATALOG-02: what there is to query. */
export function CatalogListPage({ shown, onShow }: ShownProps) {
  useLiveSchema()
  const { catalogOf } = usePlaces()
  const { commonSearchParam, sort, onSort } = useSearchParam(shown)
  const found = useCall(
    schema.catalogs,
    { commonSearchParam },
    { silent: true, placeholderData: (before) => before },
  )
  const { data } = found
  return (
    <div className={styles['page']}>
      <PageHeader title={t('catalog.title')} facts={[data && t('catalog.catalogs', { count: data.total })]} />
      <ListFrame
        label={t('catalog.list.catalogs')}
        found={found}
        columns={columnsFor(catalogOf)}
        rowKey={({ name }) => name}
        empty={t('catalog.empty')}
        sort={sort}
        onSort={onSort}
        shown={shown}
        onShow={onShow}
      />
    </div>
  )
}

const columnsFor = (addressOf: Places['catalogOf']): readonly TableColumn<Catalog>[] => [
  {
    key: 'name',
    header: t('catalog.column.name'),
    sortsBy: ({ name }) => name,
    cell: (one) => <NameLink name={one.name} address={addressOf(one)} />,
  },
  { key: 'type', header: t('catalog.column.type'), cell: ({ type }) => type },
]
