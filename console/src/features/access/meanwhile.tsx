import { type Grant, type Grantee, perms } from '@boathouse/contract/perms'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { useRecentChanges } from '../../lib/recent-changes.ts'
import { Button } from '../../ui/index.ts'
import styles from './access.module.css'
import { PAGE_SIZE } from './list-frame.tsx'

/** What was changed in this window so shortly before is its own doing. */
const OWN_MS = 5_000
const FIRST_PAGE = { search: '', page: 1, pageSize: PAGE_SIZE } as const

interface Facts {
  /** Undefined until all of them are known. */
  readonly lines: readonly string[] | undefined
  readonly at: number
}

const grantLine = ({ privileges, objectText }: Grant): string =>
  t('access.effect.one', { privileges: privileges.join(', '), object: objectText })

/** What a role or a user holds, a line for each thing; of a long list the first page. */
function useFacts({ kind, name }: Grantee): Facts {
  const ofRole = { silent: true, enabled: kind === 'role' }
  const ofUser = { silent: true, enabled: kind === 'user' }
  const role = useCall(perms.describeRole, { role: name }, ofRole)
  const roleGrants = useCall(perms.roleGrants, { role: name, ...FIRST_PAGE }, ofRole)
  const roles = useCall(perms.userRoles, { user: name }, ofUser)
  const userGrants = useCall(perms.userGrants, { user: name, ...FIRST_PAGE }, ofUser)
  const held = kind === 'role' ? role : roles
  const grants = kind === 'role' ? roleGrants : userGrants
  const names = kind === 'role' ? role.data?.roles : roles.data?.roles.map((one) => one.role)
  const at = Math.max(held.dataUpdatedAt, grants.dataUpdatedAt)
  if (!names || !grants.data) return { lines: undefined, at }
  return {
    at,
    lines: [
      ...names.map((one) => t('access.meanwhile.role', { role: one })),
      ...grants.data.list.map(grantLine),
    ],
  }
}

const without = (lines: readonly string[], others: readonly string[]): string[] =>
  lines.filter((line) => !others.includes(line))

/** Two at work on one role: who is second sees what the first has changed, and nothing is overwritten unseen. */
export function Meanwhile({ of }: { of: Grantee }) {
  const { lines, at } = useFacts(of)
  const own = useRecentChanges()[0]?.at ?? 0
  const [known, setKnown] = useState<readonly string[]>()
  const [told, setTold] = useState<readonly string[]>([])
  if (lines && lines.join('\n') !== known?.join('\n')) {
    setKnown(lines)
    if (known && at - own > OWN_MS)
      setTold([
        ...told,
        ...without(lines, known).map((line) => t('access.meanwhile.added', { line })),
        ...without(known, lines).map((line) => t('access.meanwhile.removed', { line })),
      ])
  }
  if (told.length === 0) return null
  return (
    <div className={styles['meanwhile']} role="status">
      <p>{t('access.meanwhile.title', { name: of.name })}</p>
      <ul>
        {told.map((line, index) => (
          <li key={index}>{line}</li>
        ))}
      </ul>
      <Button size="sm" onClick={() => setTold([])}>
        {t('access.meanwhile.seen')}
      </Button>
    </div>
  )
}
