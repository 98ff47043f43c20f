import { AccountId, RegionId } from '@boathouse/contract'

/** Where in the service a page is: every address of the application begins with both (SHELL-07). */
export interface Place {
  readonly region: string
  readonly aid: string
}

export const LOGIN_STEPS = ['account', 'signin'] as const
export type LoginStep = (typeof LOGIN_STEPS)[number]

/** SIGNIN-04, SIGNIN-05, SIGNIN-06; `next` is the page that was asked for before sign-in. */
export interface LoginSearch {
  readonly step?: LoginStep
  readonly aid?: string
  readonly region?: string
  readonly next?: string
}

/** SHELL-10 */
export interface EditorSearch {
  readonly activeTab?: string
  readonly tabName?: string
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

export const loginPath = (search: LoginSearch = {}): string => withSearch('/login', search)

/** SIGNIN-47, SIGNIN-48: for the remembered account, or to the choice of one. */
export const signInPath = (account: string | null, region: string | null, next?: string): string =>
  account
    ? loginPath({ step: 'signin', aid: account, ...(region ? { region } : {}), ...(next ? { next } : {}) })
    : loginPath({ step: 'account', ...(next ? { next } : {}) })

/** The same page of the same account in another region (SHELL-35); `href` is an address of the application. */
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
