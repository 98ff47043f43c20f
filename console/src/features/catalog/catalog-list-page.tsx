import '../../i18n/catalog.ts'
import { METASTORE_NAMES } from '@boathouse/contract/external-catalogs'
import { type Catalog, DEFAULT_CATALOG, schema } from '@boathouse/contract/schema'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { useSession } from '../../lib/session.ts'
import { IconDots, IconPencil, IconPlus, IconTerminal2, IconTrash } from '../../ui/icons.ts'
import { Button, IconButton, Menu, Page, PageHeader, type TableColumn } from '../../ui/index.ts'
import { CatalogStatement } from './catalog-statement.tsx'
import { CreateCatalog } from './create-catalog.tsx'
import { DropCatalog } from './drop-catalog.tsx'
import { ListFrame } from './list-frame.tsx'
import { NameLink } from './name-link.tsx'
import { type Places, type ShownProps, usePlaces } from './places.ts'
import { RenameCatalog } from './rename-catalog.tsx'
import { useLiveSchema } from './use-live-schema.ts'
import { useSearchParam } from './use-search.ts'

/** What there is to query. */
export function CatalogListPage({ shown, onShow }: ShownProps) {
  useLiveSchema()
  const { catalogOf } = usePlaces()
  const { commonSearchParam, sort, onSort } = useSearchParam(shown)
  const isNarrowed = commonSearchParam.search !== '' || commonSearchParam.offset > 0
  const found = useCall(
    schema.catalogs,
    { commonSearchParam },
    // What narrows the list down leaves the page as it is.
    { silent: isNarrowed, fillsPage: !isNarrowed, placeholderData: (before) => before },
  )
  const { data } = found
  const [open, setOpen] = useState<Open | null>(null)
  const isAdministrator = useSession().user?.activeRoles.includes('db_admin') ?? false
  const close = () => setOpen(null)
  return (
    <Page>
      <PageHeader title={t('catalog.title')} facts={[data && t('catalog.catalogs', { count: data.total })]} />
      <ListFrame
        label={t('catalog.list.catalogs')}
        found={found}
        columns={columnsFor({ catalogOf, isAdministrator, onOpen: setOpen })}
        rowKey={({ name }) => name}
        empty={t('catalog.empty.catalogs')}
        why={t('catalog.empty.why')}
        sort={sort}
        onSort={onSort}
        shown={shown}
        onShow={onShow}
        action={
          <Button
            variant="primary"
            leftIcon={<IconPlus size={16} aria-hidden />}
            disabled={!isAdministrator}
            title={isAdministrator ? undefined : t('catalog.createCatalog.needsRole')}
            onClick={() => setOpen({ kind: 'create' })}
          >
            {t('catalog.createCatalog.action')}
          </Button>
        }
      />
      {open?.kind === 'create' && <CreateCatalog onClose={close} />}
      {open?.kind === 'statement' && <CatalogStatement name={open.name} onClose={close} />}
      {open?.kind === 'rename' && <RenameCatalog name={open.name} onClose={close} />}
      {open?.kind === 'drop' && <DropCatalog catalog={open.catalog} onClose={close} />}
    </Page>
  )
}

type Open =
  | { readonly kind: 'create' }
  | { readonly kind: 'statement' | 'rename'; readonly name: string }
  | { readonly kind: 'drop'; readonly catalog: Catalog }

interface Acting {
  readonly catalogOf: Places['catalogOf']
  readonly isAdministrator: boolean
  readonly onOpen: (open: Open) => void
}

const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

const columnsFor = ({ catalogOf, isAdministrator, onOpen }: Acting): readonly TableColumn<Catalog>[] => [
  {
    key: 'name',
    header: t('catalog.column.name'),
    sortsBy: ({ name }) => name,
    cell: (one) => <NameLink name={one.name} address={catalogOf(one)} />,
  },
  { key: 'type', header: t('catalog.column.type'), cell: ({ type }) => type },
  {
    key: 'metastore',
    header: t('catalog.column.metastore'),
    cell: ({ metastoreType }) => (metastoreType ? METASTORE_NAMES[metastoreType] : t('catalog.none')),
  },
  {
    key: 'description',
    header: t('catalog.column.description'),
    leastPx: 120,
    cell: ({ description }) => <span title={description}>{description || t('catalog.none')}</span>,
  },
  {
    key: 'actions',
    header: t('catalog.column.actions'),
    hideHeader: true,
    align: 'end',
    cell: (catalog) => {
      const { name } = catalog
      return (
        <Menu
          label={t('catalog.actionsOf', { name })}
          width={200}
          entries={[
            {
              label: t('catalog.detail.createStatement'),
              icon: <IconTerminal2 {...ICON} />,
              disabled: !isAdministrator,
              onSelect: () => onOpen({ kind: 'statement', name }),
            },
            {
              label: t('catalog.rename.action'),
              icon: <IconPencil {...ICON} />,
              disabled: !isAdministrator || name === DEFAULT_CATALOG || catalog.type !== 'Internal',
              onSelect: () => onOpen({ kind: 'rename', name }),
            },
            {
              label: t('catalog.drop.action'),
              icon: <IconTrash {...ICON} />,
              danger: true,
              disabled: !isAdministrator || name === DEFAULT_CATALOG,
              onSelect: () => onOpen({ kind: 'drop', catalog }),
            },
          ]}
          trigger={
            <IconButton label={t('catalog.actionsOf', { name })} size="sm">
              <IconDots size={16} aria-hidden />
            </IconButton>
          }
        />
      )
    },
  },
]
