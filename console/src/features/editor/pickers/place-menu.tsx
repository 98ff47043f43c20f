import { schema } from '@boathouse/contract/schema'
import '../../../i18n/pickers.ts'
import { t } from '../../../i18n/texts.ts'
import { useCall } from '../../../lib/api.ts'
import { MenuList } from '../../../ui/menu-list.tsx'
import type { MenuEntry } from '../../../ui/index.ts'
import { useChoosePlace } from '../schema/use-place.ts'
import { BY_NAME } from '../schema/use-schema.ts'
import type { Place } from '../tabs/place.ts'
import { useOpenPill } from './open-pill.ts'

interface Props {
  readonly tabId: string
  readonly place: Place
  readonly onShowTree: () => void
}

/** More are found in the tree. */
const MOST_LISTED = 100

interface Named {
  readonly name: string
}

const optionsOf = (list: readonly Named[] | undefined, chosen: string) =>
  (list ?? [])
    .filter(({ name }, at) => at < MOST_LISTED || name === chosen)
    .map(({ name }) => ({ value: name, label: name }))

/** The catalogs, and the databases of the catalog of the tab. */
export function PlaceMenu({ tabId, place, onShowTree }: Props) {
  const choose = useChoosePlace(tabId)
  const catalogs = useCall(schema.catalogs, BY_NAME, { silent: true })
  const catalog = place.catalog || (catalogs.data?.list[0]?.name ?? '')
  const databases = useCall(
    schema.databases,
    { ...BY_NAME, catalog },
    { silent: true, enabled: catalog !== '' },
  )
  const error = catalogs.error ?? databases.error
  const entries: MenuEntry[] = [
    { kind: 'heading', label: t('pickers.database', { catalog }) },
    {
      kind: 'choice',
      value: place.database,
      options: optionsOf(databases.data?.list, place.database),
      onChange: (database) => choose({ catalog, database }),
    },
    { kind: 'divider' },
    { kind: 'heading', label: t('pickers.catalog') },
    {
      kind: 'choice',
      value: catalog,
      options: optionsOf(catalogs.data?.list, catalog),
      onChange: (next) => choose({ catalog: next, database: '' }),
    },
    { kind: 'divider' },
    { label: t('pickers.showInTree'), onSelect: onShowTree },
  ]
  return (
    <MenuList
      {...useOpenPill()}
      label={t('editor.toolbar.place')}
      beside={{ side: 'bottom', align: 'end' }}
      width={260}
      entries={error ? [{ kind: 'heading', label: error.message }, ...entries.slice(-1)] : entries}
    />
  )
}
