import { type HeldRole, perms } from '@boathouse/contract/perms'
import { user as userCalls } from '@boathouse/contract/user'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useAction, useCall } from '../../lib/api.ts'
import { Badge, Button, ErrorState, notify, Skeleton, Switch } from '../../ui/index.ts'
import styles from './own-roles.module.css'

/** The roles that were given directly, each active or not. */
export function OwnRoles() {
  const { data, error, refetch } = useCall(perms.allRoles, {}, { staleTime: 0 })
  if (error)
    return (
      <ErrorState title={t('profile.roles.failed')} what={error.message} onRetry={() => void refetch()} />
    )
  if (!data) return <Skeleton height={120} />
  const { directRoles } = data
  if (directRoles.length === 0) return <p>{t('profile.roles.none')}</p>
  // Starts again when another user has changed them.
  const known = directRoles.map(({ role, active }) => `${role} ${active}`).join()
  return <Chooser key={known} held={directRoles} />
}

const activeOf = (held: readonly HeldRole[]): string[] =>
  held.filter(({ active }) => active).map(({ role }) => role)

function Chooser({ held }: { held: readonly HeldRole[] }) {
  const [active, setActive] = useState<readonly string[]>(() => activeOf(held))
  const save = useAction(perms.setRoles, { silent: true, refreshes: [perms.allRoles, userCalls.info] })
  const isDifferent = held.some((one) => one.active !== active.includes(one.role))
  const toggle = (role: string, isActive: boolean) =>
    setActive(isActive ? [...active, role] : active.filter((one) => one !== role))
  const submit = () =>
    save.mutate(
      { roles: [...active] },
      { onSuccess: () => notify({ tone: 'ok', message: t('profile.roles.saved') }) },
    )
  return (
    <div className={styles['roles']}>
      <h3 className={styles['header']}>
        {t('profile.roles.header', { active: active.length, all: held.length })}
      </h3>
      <ul className={styles['list']} aria-label={t('profile.roles.list')}>
        {held.map(({ role, isBuiltIn }) => (
          <li key={role}>
            <Switch label={role} checked={active.includes(role)} onChange={(on) => toggle(role, on)} />
            {isBuiltIn && <Badge>{t('profile.roles.builtIn')}</Badge>}
          </li>
        ))}
      </ul>
      <p className={styles['note']}>
        {t('profile.roles.note')} {t('profile.roles.console')}
      </p>
      <p className={styles['note']}>{t('profile.roles.publicNote')}</p>
      {save.error && (
        <p className={styles['refusal']} role="alert">
          {save.error.message}
        </p>
      )}
      <div className={styles['buttons']}>
        <Button variant="primary" disabled={!isDifferent} loading={save.isPending} onClick={submit}>
          {t('profile.roles.save')}
        </Button>
      </div>
    </div>
  )
}
