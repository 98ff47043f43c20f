import { hasPermission, holdsRoles } from '@boathouse/contract/roles'
import type { UserInfo } from '@boathouse/contract/user'
import { useNavigate } from '@tanstack/react-router'
import { t } from '../../../i18n/texts.ts'
import { useNewQuery } from '../../../lib/new-query.ts'
import { useColorScheme } from '../../../ui/index.ts'
import { menuFor, PAGES, pageOf } from '../../menu.ts'
import { accessPath, editorPath, pagePath, type Place, warehousePath } from '../../paths.ts'
import type { Overlay } from '../overlay.ts'
import { addressOf, keyOf, pathOf } from '../search/found-names.ts'
import { savedTabs } from '../search/search-hits.ts'
import type { Entry } from './entries.ts'
import { useObjects } from './use-objects.ts'

interface Parts {
  readonly user: UserInfo
  readonly place: Place
  readonly onOpen: (overlay: Overlay) => void
}

/** All that the palette can offer, in the order in which it is shown where nothing tells them apart. */
export function useEntries(text: string, { user, place, onOpen }: Parts) {
  const navigate = useNavigate()
  const go = (href: string) => () => void navigate({ href })
  const mayListPeople = holdsRoles(user, PAGES.access.roles)
  const objects = useObjects(text, mayListPeople)
  const pages: Entry[] = [
    ...menuFor(user).flatMap(({ items }) => items.map(({ page }) => page)),
    'guide' as const,
  ].map((page) => {
    const { title, path } = pageOf(page)
    return { key: `page ${page}`, kind: 'page', name: t(title), act: go(pagePath(place, path)) }
  })
  const named: Entry[] = [
    ...savedTabs(objects.saved ?? { folders: [], tabs: [] }).map(
      ({ bizId, tabName, parentFolderName }): Entry => ({
        key: `query ${bizId}`,
        kind: 'query',
        name: tabName,
        hint: parentFolderName,
        act: go(editorPath(place, { activeTab: bizId, tabName })),
      }),
    ),
    ...objects.found.map((found): Entry => ({
      key: keyOf(found),
      kind: found.type,
      name: found.name,
      hint: pathOf(found),
      act: go(addressOf(place, found)),
    })),
    ...objects.warehouses.map(({ warehouseId, name }): Entry => ({
      key: `warehouse ${warehouseId}`,
      kind: 'warehouse',
      name,
      act: go(warehousePath(place, warehouseId)),
    })),
    ...objects.users.map(({ user: name }): Entry => ({
      key: `user ${name}`,
      kind: 'user',
      name,
      act: go(accessPath(place, 'user', name)),
    })),
    ...objects.roles.map(({ role: name }): Entry => ({
      key: `role ${name}`,
      kind: 'role',
      name,
      act: go(accessPath(place, 'role', name)),
    })),
  ]
  const actions = useActions({ user, place, onOpen })
  return { entries: [...pages, ...actions, ...named], isLooking: objects.isLooking }
}

const action = (name: string, act: () => void): Entry => ({
  key: `action ${name}`,
  kind: 'action',
  name,
  act,
})

function useActions({ user, place, onOpen }: Parts): Entry[] {
  const navigate = useNavigate()
  const { scheme, toggle } = useColorScheme()
  const create = useNewQuery()
  const newQuery = () =>
    create.mutate(
      { tabName: t('palette.actions.newQueryTab') },
      {
        onSuccess: ({ tabId, tabName }) =>
          void navigate({ href: editorPath(place, { activeTab: tabId, tabName }) }),
      },
    )
  const mayCreate = hasPermission(user.perms, 'warehouse:create')
  return [
    action(t('palette.actions.newQuery'), newQuery),
    ...(mayCreate
      ? [
          action(
            t('palette.actions.createWarehouse'),
            () => void navigate({ href: pagePath(place, 'add-cluster') }),
          ),
        ]
      : []),
    action(scheme === 'dark' ? t('palette.actions.toLight') : t('palette.actions.toDark'), toggle),
    action(t('palette.actions.profile'), () => onOpen('profile')),
    action(t('palette.actions.roles'), () => onOpen('roles')),
    action(t('palette.actions.switchAccount'), () => onOpen('switch account')),
    action(t('palette.actions.notifications'), () => onOpen('notifications')),
    action(t('palette.actions.asCode'), () => onOpen('as code')),
    action(t('palette.actions.shortcuts'), () => onOpen('shortcuts')),
    action(t('palette.actions.logout'), () => onOpen('logout')),
  ]
}
