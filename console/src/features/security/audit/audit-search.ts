import type { AuditFilter } from '@boathouse/contract/audit'

/** What the list is narrowed to, as it is typed; empty texts do not matter. */
export interface AuditSearch {
  readonly text: string
  readonly actor: string
  readonly objectType: string
  /** As a clock here shows them: 2026-03-01T09:00. */
  readonly from: string
  readonly until: string
}

export const NOTHING: AuditSearch = { text: '', actor: '', objectType: '', from: '', until: '' }

export const isNarrowed = (search: AuditSearch): boolean =>
  Object.values(search).some((part: string) => part.trim() !== '')

const momentOf = (local: string): string | undefined => {
  const at = new Date(local)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}

/** The request to the service. */
export function filterOf({ text, actor, objectType, from, until }: AuditSearch): AuditFilter {
  const filter = {
    text: text.trim(),
    actor: actor.trim(),
    objectType,
    from: momentOf(from),
    until: momentOf(until),
  }
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value))
}
