import type { RoleEntry, UserEntry } from '@boathouse/contract/perms'
import { t } from '../../i18n/texts.ts'
import { formatDateTime } from '../../lib/format.ts'
import { Button, Properties, SideSection } from '../../ui/index.ts'
import styles from './access.module.css'
import { UserState } from './user-columns.tsx'

interface UserProps {
  readonly of: UserEntry
  /** Null for who sets it in the profile, or may not. */
  readonly onSetEmail: (() => void) | null
  readonly isSelf: boolean
}

export function UserOverview({ of, onSetEmail, isSelf }: UserProps) {
  return (
    <SideSection title={t('access.overview.title')}>
      <Properties
        items={[
          [t('access.overview.user'), of.user],
          ...(of.isService ? [] : ([[t('access.overview.email'), of.email || t('access.none')]] as const)),
          [t('access.overview.state'), <UserState key="state" {...of} />],
          [t('access.overview.created'), formatDateTime(of.createdAt)],
          [t('access.overview.lastUsed'), of.lastUsedAt ? formatDateTime(of.lastUsedAt) : t('access.never')],
        ]}
      />
      {onSetEmail && (
        <Button size="sm" onClick={onSetEmail}>
          {t('access.setEmail.open')}
        </Button>
      )}
      {isSelf && <p className={styles['note']}>{t('access.setEmail.inProfile')}</p>}
    </SideSection>
  )
}

export function RoleOverview({ of }: { of: RoleEntry }) {
  return (
    <>
      <SideSection title={t('access.overview.title')}>
        <Properties
          items={[
            [t('access.overview.role'), of.role],
            [
              t('access.overview.kind'),
              of.isBuiltIn ? t('access.role.kind.builtIn') : t('access.role.kind.custom'),
            ],
            [t('access.overview.users'), of.users],
            [t('access.overview.grants'), of.grants],
            ...(of.createdAt
              ? ([[t('access.overview.created'), formatDateTime(of.createdAt)]] as const)
              : []),
            ...(of.createdBy ? ([[t('access.overview.createdBy'), of.createdBy]] as const) : []),
          ]}
        />
      </SideSection>
      {of.isBuiltIn && (
        <SideSection title={t('access.overview.fixedTitle')}>
          <p className={styles['note']}>
            {of.role === 'public' ? t('access.overview.everyone') : t('access.overview.fixed')}
          </p>
        </SideSection>
      )}
    </>
  )
}
