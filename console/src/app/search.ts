import { LOGIN_STEPS } from './paths.ts'
import type { EditorSearch, LoginSearch } from './paths.ts'

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

/** SIGNIN-04, SIGNIN-05, SIGNIN-06; an unknown step counts as none. */
export function readLoginSearch(search: Search): LoginSearch {
  const step = LOGIN_STEPS.find((one) => one === search['step'])
  return { ...(step ? { step } : {}), ...texts(search, ['aid', 'region', 'next']) }
}

/** SHELL-10 */
export const readEditorSearch = (search: Search): EditorSearch => texts(search, ['activeTab', 'tabName'])
