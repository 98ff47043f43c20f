import { holdsRoles } from '@boathouse/contract'
import type { BuiltInRole, RoleHolder } from '@boathouse/contract'
import type { en } from '../i18n/en.ts'
import { IconHome, IconTerminal2 } from '../ui/icons.ts'

export type PageKey = keyof typeof PAGES

export type PageTitle =
  | `shell.menu.${keyof (typeof en)['shell']['menu']}`
  | 'shell.notFound.title'
  | 'shell.noPermission.title'
  | 'signIn.documentTitle'

interface Page {
  /** Below `/{region}/{aid}/` (SHELL-40). */
  readonly path: string
  readonly title: PageTitle
  /** ROLE-11: every one of them active, or organisation admin and creator. */
  readonly roles: readonly BuiltInRole[]
}

/** Every page that has a place in the menu; guard, menu, breadcrumb and document title read the same line. */
export const PAGES = {
  home: { path: 'home', title: 'shell.menu.home', roles: [] },
  editor: { path: 'editor', title: 'shell.menu.editor', roles: [] },
} as const satisfies Record<string, Page>

export const pageOf = (key: PageKey): Page => PAGES[key]

interface MenuItem {
  readonly page: PageKey
  readonly icon: typeof IconHome
}

interface MenuGroup {
  readonly title: Page['title']
  readonly items: readonly MenuItem[]
}

/** SHELL-37 */
export const MENU: readonly MenuGroup[] = [
  {
    title: 'shell.menu.analytics',
    items: [
      { page: 'home', icon: IconHome },
      { page: 'editor', icon: IconTerminal2 },
    ],
  },
]

/** SHELL-49: only what the user may open; a group with nothing left is not there. */
export const menuFor = (user: RoleHolder): readonly MenuGroup[] =>
  MENU.map((group) => ({
    ...group,
    items: group.items.filter((item) => holdsRoles(user, pageOf(item.page).roles)),
  })).filter((group) => group.items.length > 0)
