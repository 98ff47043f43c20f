import '../../i18n/catalog.ts'
import { type Catalog, schema } from '@boathouse/contract/schema'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { Badge, PageHeader } from '../../ui/index.ts'
import styles from './catalog.module.css'
import { NamedList } from './named-list.tsx'

interface CatalogsProps {
  readonly addressOf: (catalog: Catalog) => string
}

/** CATALOG-01: what there is to query. */
export function CatalogListPage({ addressOf }: CatalogsProps) {
  const catalogs = useCall(schema.catalogs, {}).data?.list
  return (
    <div className={styles['page']}>
      <PageHeader
        title={t('catalog.title')}
        facts={[catalogs && t('catalog.catalogs', { count: catalogs.length })]}
      />
      <NamedList
        label={t('catalog.list.catalogs')}
        list={catalogs?.map((one) => ({ ...one, address: addressOf(one) }))}
      />
    </div>
  )
}

interface CatalogProps {
  readonly catalog: string
  readonly catalogType: string
  readonly addressOf: (database: string) => string
}

export function CatalogPage({ catalog, catalogType, addressOf }: CatalogProps) {
  const databases = useCall(schema.databases, { catalog }).data?.list
  return (
    <div className={styles['page']}>
      <PageHeader
        title={catalog}
        state={<Badge>{catalogType}</Badge>}
        facts={[databases && t('catalog.databases', { count: databases.length })]}
      />
      <NamedList
        label={t('catalog.list.databases')}
        list={databases?.map(({ name }) => ({ name, address: addressOf(name) }))}
      />
    </div>
  )
}

export function DatabasePage({ catalog, database }: { catalog: string; database: string }) {
  const place = { catalog, databaseName: database }
  const tables = useCall(schema.tables, place).data?.list
  const views = useCall(schema.views, place).data?.list
  const objects = tables &&
    views && [
      ...tables.map(({ tableName }) => ({ name: tableName, type: t('catalog.table') })),
      ...views.map(({ name }) => ({ name, type: t('catalog.view') })),
    ]
  return (
    <div className={styles['page']}>
      <PageHeader
        title={database}
        facts={[catalog, objects && t('catalog.objects', { count: objects.length })]}
      />
      <NamedList label={t('catalog.list.objects')} list={objects} />
    </div>
  )
}
