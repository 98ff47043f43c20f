import { UserInfo } from '@boathouse/contract/user'

const MENU_MODES = ['Expand', 'Collapse', 'Auto'] as const
export type MenuMode = (typeof MENU_MODES)[number]

/** Where somebody signed in from this browser before; offered again at sign-in. */
export interface LoggedAccount {
  readonly accountId: string
  readonly region: string
  readonly user: string
}
const LOGGED_ACCOUNTS_KEPT = 5

/** Everything kept in the browser. */
export interface SessionValues {
  readonly token: string | null
  /** This browser's own random id, made once; begins the channel's client_id. */
  readonly ubid: string
  /** Without a token: their login is over, and this window waits for them to sign in again. */
  readonly user: UserInfo | null
  /** Account id; outlives the login so that sign-in can lead back to it. */
  readonly account: string | null
  readonly region: string | null
  /** Most recent first. */
  readonly loggedAccounts: readonly LoggedAccount[]
  /** Null: never chosen, so that each page has it as it needs the room. */
  readonly menuCollapseType: MenuMode | null
}

/** Whose work a window holds: the same person before a login that has timed out and after the next. */
export const personOf = ({ user }: Pick<SessionValues, 'user'>): string | null =>
  user && `${user.accountId} ${user.user}`

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const isLoggedAccount = (value: unknown): value is LoggedAccount =>
  typeof value === 'object' &&
  value !== null &&
  ['accountId', 'region', 'user'].every((key) => isText((value as Record<string, unknown>)[key]))

/** Whatever an older version or another program left in the storage: what cannot be read counts as absent. */
export function readSessionValues(read: (name: keyof SessionValues) => unknown, newUbid: () => string) {
  const text = (name: keyof SessionValues): string | null => {
    const value = read(name)
    return isText(value) ? value : null
  }
  const user = UserInfo.safeParse(read('user'))
  const accounts = read('loggedAccounts')
  const menu = MENU_MODES.find((mode) => mode === read('menuCollapseType'))
  const values: SessionValues = {
    token: text('token'),
    ubid: text('ubid') ?? newUbid(),
    user: user.success ? user.data : null,
    account: text('account'),
    region: text('region'),
    loggedAccounts: Array.isArray(accounts)
      ? accounts.filter(isLoggedAccount).slice(0, LOGGED_ACCOUNTS_KEPT)
      : [],
    menuCollapseType: menu ?? null,
  }
  return values
}

export function withLoggedAccount(
  known: readonly LoggedAccount[],
  latest: LoggedAccount,
): readonly LoggedAccount[] {
  const others = known.filter(
    (one) => one.accountId !== latest.accountId || one.region !== latest.region || one.user !== latest.user,
  )
  return [latest, ...others].slice(0, LOGGED_ACCOUNTS_KEPT)
}
