import { type BuiltInRole, holdsRoles, type RoleHolder } from '@boathouse/contract/roles'
import type { en } from '../i18n/en.ts'
import {
  IconActivity,
  IconBuilding,
  IconDatabase,
  IconHome,
  IconLayoutDashboard,
  IconPlugConnected,
  IconReceipt,
  IconServerBolt,
  IconShieldLock,
  IconTerminal2,
  IconUsers,
} from '../ui/icons.ts'

export type PageKey = keyof typeof PAGES

export type PageTitle =
  | `shell.menu.${keyof (typeof en)['shell']['menu']}`
  | 'shell.notFound.title'
  | 'shell.noPermission.title'
  | 'signIn.documentTitle'
  | 'signIn.resetTitle'
  | 'signIn.setUpTitle'
  | 'signIn.trialTitle'
  | 'signIn.ssoTitle'
  | 'signIn.marketplaceTitle'
  | 'signIn.activationTitle'

interface Page {
  /** Below `/{region}/{aid}/`. */
  readonly path: string
  readonly title: PageTitle
  /** Every one of them active, or organisation admin and creator. */
  readonly roles: readonly BuiltInRole[]
  /** Its menu item is there for administrators of the organisation alone. */
  readonly forOrgAdmins?: true
  /** Its menu item is there for the creator of the account, whatever their roles. */
  readonly forCreators?: true
  /** It has an address and no menu item. */
  readonly hidden?: true
}

/** Every page that has a place in the menu; guard, menu, breadcrumb and document title read the same line. */
export const PAGES = {
  home: { path: 'home', title: 'shell.menu.home', roles: [] },
  editor: { path: 'editor', title: 'shell.menu.editor', roles: [] },
  dashboards: { path: 'dashboards', title: 'shell.menu.dashboards', roles: [] },
  catalog: { path: 'catalog', title: 'shell.menu.catalog', roles: [] },
  integration: { path: 'integration', title: 'shell.menu.integration', roles: [] },
  /** The help link of the top bar leads here. */
  guide: { path: 'guide', title: 'shell.menu.guide', roles: [], hidden: true },
  /** Every user sees their own statements there. */
  activity: { path: 'activity', title: 'shell.menu.activity', roles: [] },
  warehouse: {
    path: 'admin/warehouse',
    title: 'shell.menu.warehouse',
    roles: ['cluster_admin'],
    forCreators: true,
  },
  billing: {
    path: 'admin/usage-and-billing',
    title: 'shell.menu.billing',
    roles: ['account_admin'],
    forCreators: true,
  },
  access: { path: 'admin/access', title: 'shell.menu.access', roles: ['user_admin'], forCreators: true },
  security: {
    path: 'admin/security',
    title: 'shell.menu.security',
    roles: ['security_admin'],
    forCreators: true,
  },
  account: {
    path: 'admin/account',
    title: 'shell.menu.account',
    roles: ['org_admin'],
    forOrgAdmins: true,
  },
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

const MENU: readonly MenuGroup[] = [
  {
    title: 'shell.menu.analytics',
    items: [
      { page: 'home', icon: IconHome },
      { page: 'editor', icon: IconTerminal2 },
      { page: 'dashboards', icon: IconLayoutDashboard },
      { page: 'catalog', icon: IconDatabase },
      { page: 'integration', icon: IconPlugConnected },
      { page: 'activity', icon: IconActivity },
    ],
  },
  {
    title: 'shell.menu.admin',
    items: [
      { page: 'warehouse', icon: IconServerBolt },
      { page: 'billing', icon: IconReceipt },
      { page: 'access', icon: IconUsers },
      { page: 'security', icon: IconShieldLock },
      { page: 'account', icon: IconBuilding },
    ],
  },
]

/** Only pages that the user can open; some are always shown to the creator of the account. Empty groups are left out. */
export const menuFor = (user: RoleHolder): readonly MenuGroup[] =>
  MENU.map((group) => ({
    ...group,
    items: group.items.filter(({ page }) => {
      const { roles, forOrgAdmins, forCreators, hidden } = pageOf(page)
      if (hidden) return false
      if (forCreators && user.user === user.creator) return true
      return holdsRoles(user, roles) && (!forOrgAdmins || user.isOrgAdmin)
    }),
  })).filter((group) => group.items.length > 0)
