import type { Actor } from '../../kernel/actor.ts'
import { userAuthor } from '../audit/author.ts'
import type { AuditFacts, WarehouseRow } from './store.ts'

/** Where a change comes from, for the audit log; null for changes that the service makes automatically. */
export interface From {
  readonly clientIp: string | null
}
export const NOWHERE: From = { clientIp: null }

type Settings = Pick<
  WarehouseRow,
  'name' | 'description' | 'size' | 'auto_suspend_minutes' | 'auto_resume' | 'engine'
>

export const settingsOf = (row: Settings) => ({
  name: row.name,
  description: row.description,
  size: row.size,
  autoSuspendMinutes: row.auto_suspend_minutes,
  autoResume: row.auto_resume,
  // Null: nobody has chosen one.
  ...(row.engine !== null && { engine: row.engine }),
})

export const auditFactsBy = (
  actor: Actor,
  { clientIp }: From,
  facts: Omit<AuditFacts, 'by'>,
): AuditFacts => ({
  by: { ...userAuthor({ actor, clientIp: clientIp ?? '' }), clientIp },
  ...facts,
})
