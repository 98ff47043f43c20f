import { INTEGRATION_TABS, LOGIN_STEPS, SECURITY_TABS, WAREHOUSE_GROUPS } from './paths.ts'
import type {
  AccessSearch,
  AccountSearch,
  ActivationSearch,
  ActivitySearch,
  DashboardSearch,
  EditorSearch,
  IntegrationSearch,
  LinkSearch,
  LoadSearch,
  LoginSearch,
  ReceivedSearch,
  SecuritySearch,
  UsageSearch,
  WarehouseSearch,
} from './paths.ts'

type Search = Record<string, unknown>

/** Plain texts on both ways: a tab called `12` or `true` stays what it is. */
export const parseSearch = (text: string): Search => Object.fromEntries(new URLSearchParams(text))

export function stringifySearch(search: Search): string {
  const given = Object.entries(search).filter(([, value]) => typeof value === 'string' && value !== '')
  const text = new URLSearchParams(given as [string, string][]).toString()
  return text ? `?${text}` : ''
}

/** Only what is there: an absent value must not appear in the address. */
const texts = <K extends string>(search: Search, names: readonly K[]): { [N in K]?: string } => {
  const found: { [N in K]?: string } = {}
  for (const name of names) {
    const value = search[name]
    if (typeof value === 'string' && value !== '') found[name] = value
  }
  return found
}

/** An unknown step counts as none. */
export function readLoginSearch(search: Search): LoginSearch {
  const step = LOGIN_STEPS.find((one) => one === search['step'])
  return { ...(step ? { step } : {}), ...texts(search, ['aid', 'region', 'user', 'next']) }
}

export const readEditorSearch = (search: Search): EditorSearch =>
  texts(search, ['activeTab', 'tabName', 'values', 'line'])

export const readDashboardSearch = (search: Search): DashboardSearch =>
  texts(search, ['search', 'page', 'values'])

export const readLinkSearch = (search: Search): LinkSearch => texts(search, ['token', 'aid'])
/** The table that a file is loaded into. */
export const readLoadSearch = (search: Search): LoadSearch => texts(search, ['table'])

/** What the list of warehouses shows; an unknown state counts as none. */
export function readWarehouseSearch(search: Search): WarehouseSearch {
  const state = WAREHOUSE_GROUPS.find((one) => one === search['state'])
  return { ...texts(search, ['search']), ...(state ? { state } : {}) }
}

/** An unknown tab counts as none. */
export function readIntegrationSearch(search: Search): IntegrationSearch {
  const tab = INTEGRATION_TABS.find((one) => one === search['tab'])
  return { ...texts(search, ['search']), ...(tab ? { tab } : {}) }
}

/** What makes no sense is left out by the page, which knows what does. */
export const readActivitySearch = (search: Search): ActivitySearch =>
  texts(search, ['text', 'duration', 'state', 'user', 'warehouse', 'door', 'key', 'time', 'from', 'until'])

/** An unknown tab counts as none. */
export function readSecuritySearch(search: Search): SecuritySearch {
  const tab = SECURITY_TABS.find((one) => one === search['tab'])
  return tab ? { tab } : {}
}

export const readActivationSearch = (search: Search): ActivationSearch => texts(search, ['token', 'setUp'])
export const readReceivedSearch = (search: Search): ReceivedSearch => texts(search, ['email'])
export const readAccountSearch = (search: Search): AccountSearch =>
  texts(search, ['account', 'search', 'deleted', 'release'])
export const readUsageSearch = (search: Search): UsageSearch => texts(search, ['tab', 'month', 'account'])
export const readAccessSearch = (search: Search): AccessSearch => texts(search, ['tab', 'search', 'page'])
