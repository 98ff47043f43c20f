import { AccountId, RegionId } from '@boathouse/contract/rules'

/** Where in the service a page is: every address of the application begins with both. */
export interface Place {
  readonly region: string
  readonly aid: string
}

export const LOGIN_STEPS = ['account', 'signin'] as const
type LoginStep = (typeof LOGIN_STEPS)[number]

/** `next` is the page that the user opened before sign-in. */
export interface LoginSearch {
  readonly step?: LoginStep
  readonly aid?: string
  readonly region?: string
  /** Who signs in, as far as it is known. */
  readonly user?: string
  readonly next?: string
}

/** What is open on the page of accounts: a detail, a search, those that are deleted, a mailed confirmation. */
export interface AccountSearch {
  readonly account?: string
  readonly search?: string
  readonly deleted?: string
  readonly release?: string
}

/** Which part of the security settings is open. */
export const SECURITY_TABS = ['sso', 'firewall', 'private-link', 'embedding', 'sign-ins', 'audit'] as const

export interface SecuritySearch {
  readonly tab?: (typeof SECURITY_TABS)[number]
}

/** Which part of usage and billing, of which month and account. */
export interface UsageSearch {
  readonly tab?: string
  readonly month?: string
  readonly account?: string
}

export interface EditorSearch {
  /** Of the text of the tab, counted from 1. */
  line?: string
  readonly activeTab?: string
  readonly tabName?: string
  /** Of its parameters, as JSON. */
  readonly values?: string
}

/** What the list of warehouses is filtered by, in its address. */
export const WAREHOUSE_GROUPS = ['all', 'running', 'changing', 'suspended', 'abnormal'] as const

export interface WarehouseSearch {
  readonly search?: string
  readonly state?: (typeof WAREHOUSE_GROUPS)[number]
}

/** What the list of statements is narrowed to, in its address. */
export interface ActivitySearch {
  readonly text?: string
  readonly duration?: string
  readonly state?: string
  readonly user?: string
  readonly warehouse?: string
  readonly door?: string
  readonly key?: string
  readonly time?: string
  readonly from?: string
  readonly until?: string
}

/** Which cards are shown. */
export const INTEGRATION_TABS = ['all', 'cloud', 'bi', 'others'] as const

export interface IntegrationSearch {
  readonly tab?: (typeof INTEGRATION_TABS)[number]
  readonly search?: string
}

/** Of a list of dashboards, or the values of the filters of one, as JSON. */
export interface DashboardSearch {
  readonly search?: string
  readonly page?: string
  readonly values?: string
}

/** The table that a file is loaded into. */
export interface LoadSearch {
  readonly table?: string
}

/** Which of the two lists, and its filters. */
export interface AccessSearch {
  readonly tab?: string
  readonly search?: string
  readonly page?: string
}

export const isPlace = ({ region, aid }: Place): boolean =>
  RegionId.safeParse(region).success && AccountId.safeParse(aid).success

const withSearch = (path: string, search: object): string => {
  const given = Object.entries(search).filter((entry): entry is [string, string] => Boolean(entry[1]))
  const text = new URLSearchParams(given).toString()
  return text ? `${path}?${text}` : path
}

export const pagePath = ({ region, aid }: Place, page: string): string =>
  `/${encodeURIComponent(region)}/${encodeURIComponent(aid)}/${page}`

export const homePath = (place: Place): string => pagePath(place, 'home')

export const editorPath = (place: Place, search: EditorSearch = {}): string =>
  withSearch(pagePath(place, 'editor'), search)

/** The guide, or a page of it. */
export const guidePath = (place: Place, page?: string): string =>
  pagePath(place, page ? `guide/${encodeURIComponent(page)}` : 'guide')

/** The list, or one of them. */
export const dashboardPath = (place: Place, dashboardId?: string, search: DashboardSearch = {}): string =>
  withSearch(
    pagePath(place, dashboardId ? `dashboards/${encodeURIComponent(dashboardId)}` : 'dashboards'),
    search,
  )

/** The list, or a guide of it. */
export const integrationPath = (place: Place, name?: string): string =>
  pagePath(place, name ? `integration/${encodeURIComponent(name)}` : 'integration')

/** The list, or one of them. */
export const warehousePath = (place: Place, warehouseId?: string): string =>
  pagePath(place, warehouseId ? `admin/warehouse/${encodeURIComponent(warehouseId)}` : 'admin/warehouse')

/** The list, narrowed or not, or one statement. */
export const activityPath = (place: Place, search: ActivitySearch = {}): string =>
  withSearch(pagePath(place, 'activity'), search)
export const schedulesPath = (place: Place): string => pagePath(place, 'activity/schedules')
export const statementPath = (place: Place, queryId: string): string =>
  pagePath(place, `activity/query_${encodeURIComponent(queryId)}`)

/** The lists, or one user or role. */
export const accessPath = (place: Place, kind?: 'user' | 'role', name = ''): string =>
  pagePath(place, kind ? `admin/access/${kind}/${encodeURIComponent(name)}` : 'admin/access')

export const loginPath = (search: LoginSearch = {}): string => withSearch('/login', search)

/** For the remembered account, or to the choice of one. */
export const signInPath = (account: string | null, region: string | null, next?: string): string =>
  account
    ? loginPath({ step: 'signin', aid: account, ...(region ? { region } : {}), ...(next ? { next } : {}) })
    : loginPath({ step: 'account', ...(next ? { next } : {}) })

/** For one user, whose name is filled in. */
export const signInPathOf = ({
  accountId,
  region,
  user,
}: {
  accountId: string
  region: string
  user: string
}): string => loginPath({ step: 'signin', aid: accountId, region, user })

/** With the token of a mailed link; without, it asks for one. */
export interface LinkSearch {
  readonly token?: string
  readonly aid?: string
}

export interface ReceivedSearch {
  readonly email?: string
}

export interface ActivationSearch {
  readonly token?: string
  /** Follows the set-up of the account that the link has opened. */
  readonly setUp?: string
}

export const FREE_TRIAL_PATH = '/free-trial'
export const receivedPath = (email: string): string => withSearch('/free-trial-received', { email })
export const activeMailPath = (setUp: string): string => withSearch('/active-mail', { setUp })

export const resetPasswordPath = (search: LinkSearch = {}): string => withSearch('/reset-password', search)

/** The same page of the same account in another region; `href` is an address of the application. */
export const inRegion = (href: string, region: string): string =>
  href.replace(/^\/[^/?#]*/, `/${encodeURIComponent(region)}`)

/**
 * Only a page of the account that was signed in to; anything else, above all another site, is not followed.
 */
export function returnPath(next: string | undefined, place: Place): string | null {
  if (!next) return null
  const [, , aid, page] = next.split(/[?#]/, 1)[0]?.split('/') ?? []
  const ours = next.startsWith('/') && aid === place.aid && Boolean(page)
  return ours ? inRegion(next, place.region) : null
}
