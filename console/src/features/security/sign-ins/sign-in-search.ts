import type { SignInFilter, SignInOutcome } from '@boathouse/contract/audit'

/** What the list is narrowed to, as it is typed; empty texts do not matter. */
export interface SignInSearch {
  readonly user: string
  readonly outcome: SignInOutcome | ''
  /** As a clock here shows them: 2026-03-01T09:00. */
  readonly from: string
  readonly until: string
}

export const NOTHING: SignInSearch = { user: '', outcome: '', from: '', until: '' }

export const isNarrowed = (search: SignInSearch): boolean =>
  Object.values(search).some((part: string) => part.trim() !== '')

const momentOf = (local: string): string | undefined => {
  const at = new Date(local)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}

/** The request to the service. */
export function filterOf({ user, outcome, from, until }: SignInSearch): SignInFilter {
  const filter = { user: user.trim(), outcome, from: momentOf(from), until: momentOf(until) }
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value))
}
