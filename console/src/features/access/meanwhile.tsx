import { LIMITS } from '@boathouse/contract/limits'
import { type Grantee, perms } from '@boathouse/contract/perms'
import { useMemo, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { type Change, useRecentChanges } from '../../lib/recent-changes.ts'
import { Button } from '../../ui/index.ts'
import styles from './access.module.css'
import {
  type Fact,
  notice,
  NOTHING_NOTICED,
  privilegeFact,
  roleFact,
  type Turn,
  turnsOf,
} from './meanwhile-facts.ts'

const FIRST_PAGE = { search: '', page: 1, pageSize: LIMITS.pageSize } as const

interface Facts {
  /** Undefined until all of them are known. */
  readonly facts: ReadonlySet<Fact> | undefined
  readonly at: number
}

/** What a role or a user holds; of a list that is longer than a page the roles alone, since its page moves. */
function useFacts({ kind, name }: Grantee): Facts {
  const ofRole = { silent: true, enabled: kind === 'role' }
  const ofUser = { silent: true, enabled: kind === 'user' }
  const role = useCall(perms.describeRole, { role: name }, ofRole)
  const roleGrants = useCall(perms.roleGrants, { role: name, ...FIRST_PAGE }, ofRole)
  const roles = useCall(perms.userRoles, { user: name }, ofUser)
  const userGrants = useCall(perms.userGrants, { user: name, ...FIRST_PAGE }, ofUser)
  const held = kind === 'role' ? role : roles
  const { data: grants, dataUpdatedAt } = kind === 'role' ? roleGrants : userGrants
  const names = kind === 'role' ? role.data?.roles : roles.data?.roles
  const facts = useMemo(() => {
    if (!names || !grants) return undefined
    const isWhole = grants.total <= grants.list.length
    return new Set([
      ...names.map((one) => roleFact(typeof one === 'string' ? one : one.role)),
      ...(isWhole ? grants.list : []).flatMap(({ privileges, objectText }) =>
        privileges.map((privilege) => privilegeFact(privilege, objectText)),
      ),
    ])
  }, [names, grants])
  return { facts, at: Math.min(held.dataUpdatedAt, dataUpdatedAt) }
}

function lineOf({ isAdded, fact }: Turn): string {
  const [kind, name, object] = JSON.parse(fact) as [string, string, string?]
  const line =
    kind === 'role'
      ? t('access.changedByOthers.role', { role: name })
      : t('access.effect.one', { privileges: name, object: object ?? '' })
  return t(isAdded ? 'access.changedByOthers.added' : 'access.changedByOthers.removed', { line })
}

/** Two at work on one role: who is second sees what the first has changed, and nothing is overwritten unseen. */
export function Meanwhile({ of }: { of: Grantee }) {
  const { facts, at } = useFacts(of)
  const changes = useRecentChanges()
  const [noticed, setNoticed] = useState(NOTHING_NOTICED)
  const isNew = (change: Change): boolean =>
    // What was done before the facts were first fetched is in them.
    noticed.known ? change.id > noticed.lastOwn : change.at >= at
  const next = notice(noticed, {
    own: changes
      .filter(isNew)
      .toReversed()
      .flatMap((change) => turnsOf(change, of)),
    lastOwn: changes[0]?.id ?? 0,
    facts,
  })
  if (next !== noticed) setNoticed(next)
  if (next.reported.length === 0) return null
  return (
    <div className={styles['meanwhile']} role="status">
      <p>{t('access.changedByOthers.title', { name: of.name })}</p>
      <ul>
        {next.reported.map((turn, index) => (
          <li key={index}>{lineOf(turn)}</li>
        ))}
      </ul>
      <Button size="sm" onClick={() => setNoticed({ ...next, reported: [] })}>
        {t('access.changedByOthers.seen')}
      </Button>
    </div>
  )
}
