import { createRealtimeClient } from '@boathouse/client/realtime-client'
import { fakeClock } from '@boathouse/client/testing/fake-clock'
import { fakeSockets } from '@boathouse/client/testing/fake-socket'
import type { QueryEndpoint } from '@boathouse/contract/account'
import { LIFE_CYCLE_STATES, SHELL_STATES } from '@boathouse/contract/account-state'
import type { EditorTab, SavedTab } from '@boathouse/contract/editor'
import type { AccountListItem } from '@boathouse/contract/org'
import type { UserInfo } from '@boathouse/contract/user'
import { createMemoryHistory } from '@tanstack/react-router'
import { render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach } from 'vitest'
import { createQueryClient } from '../../lib/api.ts'
import { followSession } from '../../lib/realtime.ts'
import { session } from '../../lib/session.ts'
import { stubServer } from '../../testing/stub-server.ts'
import type { StubHandlers } from '../../testing/stub-server.ts'
import { dismissAllNotices } from '../../ui/index.ts'
import { App } from '../app.tsx'
import { createAppRouter } from '../router.tsx'
import { ServicesContext } from '../shell/services.ts'

// jsdom has no layout, so there is nothing to scroll.
window.scrollTo = () => undefined
Element.prototype.scrollTo = () => undefined

afterEach(dismissAllNotices)

export const ADA: UserInfo = {
  user: 'ada lovelace',
  creator: 'ada lovelace',
  email: 'ada@example.com',
  accountId: 'ABC12345',
  accountName: 'Demo',
  accountState: SHELL_STATES.Active,
  edition: 'standard',
  source: 0,
  isOrgAdmin: false,
  orgIdentity: 0,
  perms: [],
  region: 'local-1',
  activeRoles: ['db_admin', 'public'],
}

/** As where it is switched off. */
const queryEndpoint: QueryEndpoint = {
  host: 'localhost',
  port: 0,
  listening: false,
  absence: 'off',
  requiresTls: true,
  ownCertificate: true,
  privateEndpoints: [],
  privateAddress: null,
}

const details = {
  accountId: 'ABC12345',
  accountName: 'Demo',
  organisation: 'Demo organisation',
  csp: 'local',
  region: 'local-1',
  edition: 'standard',
  engineVersion: 'Engine 1.4',
  version: '0.1.0',
  createdBy: 'ada lovelace',
  createdAt: '2026-01-01T10:00:00Z',
  queryEndpoint,
} as const

export const organisation = {
  orgId: '00000000-0000-4000-8000-0000000000aa',
  name: 'Demo organisation',
  orgAccountId: 'ABC12345',
  createdAt: '2026-01-01T10:00:00Z',
  accounts: 1,
  source: 1,
  orgIdentity: 1,
  paymentEnabled: false,
  freezeReason: null,
}

export const ROOT_ACCOUNT: AccountListItem = {
  accountId: 'ABC12345',
  name: 'Demo',
  creator: 'ada lovelace',
  orgId: organisation.orgId,
  csp: 'local',
  region: 'local-1',
  state: LIFE_CYCLE_STATES.Available,
  edition: 'standard',
  createdAt: '2026-01-01T10:00:00Z',
  isRoot: true,
}

export const NOTHING_RECENT = {
  queries: [],
  tables: [],
  dashboards: [],
  running: [],
  failures: [],
  ofEveryone: false,
}

export const TAB: EditorTab = {
  tabId: '00000000-0000-4000-8000-000000000001',
  tabName: 'Untitled',
  parentFolderName: '',
  catalog: 'default_catalog',
  database: 'sample',
  sql: '',
  revision: 1,
  hidden: false,
  active: true,
  sample: false,
  chart: null,
  parameters: [],
  access: 'own' as const,
  owner: 'ann',
}

const LISTED_TAB: SavedTab = {
  bizId: TAB.tabId,
  tabName: TAB.tabName,
  parentFolderName: '',
  parentId: '',
  hidden: false,
  active: true,
  sample: false,
  position: 0,
  closedAt: '',
  isShared: false,
}

/** Saved queries: only the one that is created. */
function savedQueries(): StubHandlers {
  let tabs: SavedTab[] = []
  return {
    'editor.listTabTree': () => ({ folders: [], tabs, shared: [] }),
    'editor.createTab': ({ tabName, sql }) => {
      tabs = [{ ...LISTED_TAB, tabName }]
      return { ...TAB, tabName, sql }
    },
    'editor.tabDetail': () => TAB,
    'editor.activeTab': () => ({}),
  }
}

/** A service where everything works; a test puts over it what it is about. */
const working = (over: StubHandlers = {}): StubHandlers => ({
  'user.info': () => ADA,
  'user.accountInfo': () => ({ region: 'local-1', accountId: 'ABC12345', accountState: SHELL_STATES.Active }),
  'user.logout': () => ({}),
  'user.listUnreadMessages': () => ({ messages: [] }),
  'user.markMessageRead': () => ({}),
  'user.listLogins': () => ({ logins: [] }),
  'user.listSignIns': () => ({ signIns: [] }),
  'quota.own': () => ({ kept: [] }),
  'quota.account': () => ({ kept: [], users: [] }),
  'org.detail': () => organisation,
  'org.listAccount': () => ({ accounts: [ROOT_ACCOUNT] }),
  'org.freeTrialContract': () => ({ trial: null }),
  'account.details': () => ({ ...details }),
  'account.locate': ({ accountId }) => ({ accountId, region: 'local-1', host: '' }),
  'csp.list': () => ({
    providers: [
      {
        cspId: 'local',
        locales: { 'en-us': { name: 'This machine' } },
        regions: [{ regionId: 'local-1', locales: { 'en-us': { name: 'local-1' } }, host: '' }],
      },
    ],
  }),
  'sso.offer': () => ({ enabled: false }),
  'user.login': () => ({ token: 'token-1', info: ADA }),
  'log.report': () => ({}),
  ...savedQueries(),
  'warehouse.list': () => ({ warehouses: [] }),
  'schema.catalogs': () => ({ list: [], total: 0 }),
  'schema.search': () => ({ list: [], more: false }),
  'schema.actions': () => ({}),
  'home.recent': () => ({ ...NOTHING_RECENT }),
  ...over,
})

export const signedIn = (info: UserInfo = ADA): void => session.start({ token: 'token-0', info })

export const accountDetails = details

/** The whole console at an address, in front of a stub server, with a clock and a channel of the test's own. */
export function renderApp(address: string, handlers: StubHandlers = {}) {
  const server = stubServer(working(handlers))
  const clock = fakeClock()
  const sockets = fakeSockets()
  const channel = createRealtimeClient({
    address: () => (session.get().token === null ? null : 'ws://localhost/websocket/connect'),
    openSocket: sockets.open,
    clock,
    waitsForLogin: true,
    log: () => undefined,
  })
  const router = createAppRouter(createMemoryHistory({ initialEntries: [address] }))
  const queries = createQueryClient({ retries: 0 })
  const services = {
    clock,
    queries: () => queries,
    realtime: () => {
      followSession(session, channel)
      return channel
    },
  }
  const screen = render(
    <ServicesContext value={services}>
      <App router={router} />
    </ServicesContext>,
  )
  return { server, clock, sockets, channel, router, screen, user: userEvent.setup() }
}

export type RenderedApp = ReturnType<typeof renderApp>

export const addressOf = ({ router }: RenderedApp): string => router.state.location.href
