import { perms, type RoleEntry } from '@boathouse/contract/perms'
import { type ReactNode, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { IconArrowRight, IconPlus, IconX } from '../../ui/icons.ts'
import { Button, IconButton, Skeleton, Stack, Toolbar } from '../../ui/index.ts'
import styles from './access.module.css'
import { useAdminQuestion } from './admin-question.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import { RolePicker } from './pickers.tsx'
import { ToLink } from './to-link.tsx'
import { useChange, useMay } from './use-change.ts'

/** What inherits it, and what it inherits, from left to right. */
export function Inheritance({ of }: { of: RoleEntry }) {
  const { role, isBuiltIn } = of
  const { data } = useCall(perms.rolesRole, { role })
  const [isAdding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<string | null>(null)
  const mayGrant = useMay('grant:create')
  const mayRevoke = useMay('grant:drop')
  return (
    <Stack>
      <Toolbar
        action={
          <Button
            variant="primary"
            leftIcon={<IconPlus size={16} aria-hidden />}
            disabled={isBuiltIn || !mayGrant}
            onClick={() => setAdding(true)}
          >
            {t('access.inherits.add')}
          </Button>
        }
      >
        <h2 className={styles['heading']}>{t('access.inherits.title')}</h2>
      </Toolbar>
      {!data && <Skeleton height={120} />}
      {data && (
        <div className={styles['tree']}>
          <Column title={t('access.inherits.above')} none={t('access.inherits.noneAbove')}>
            {data.inheritedBy.map((name) => (
              <li key={name} className={styles['node']}>
                <ToLink kind="role" name={name} />
              </li>
            ))}
          </Column>
          {data.inheritedBy.length > 0 && <Arrow />}
          <Column title={t('access.inherits.self')} none="">
            <li className={styles['node']} data-self>
              {role}
            </li>
          </Column>
          {data.roles.length > 0 && <Arrow />}
          <Column title={t('access.inherits.below')} none={t('access.inherits.noneBelow')}>
            {data.roles.map((name) => (
              <li key={name} className={styles['node']}>
                <ToLink kind="role" name={name} />
                {!isBuiltIn && mayRevoke && (
                  <IconButton
                    size="sm"
                    label={t('access.inherits.remove', { role: name })}
                    onClick={() => setRemoving(name)}
                  >
                    <IconX size={14} aria-hidden />
                  </IconButton>
                )}
              </li>
            ))}
          </Column>
        </div>
      )}
      {isAdding && <Inherit role={role} known={data?.roles ?? []} onClose={() => setAdding(false)} />}
      {removing && <Disinherit role={role} inherited={removing} onClose={() => setRemoving(null)} />}
    </Stack>
  )
}

const Arrow = () => (
  <span className={styles['arrow']}>
    {t('access.inherits.arrow')}
    <IconArrowRight size={16} stroke={1.6} aria-hidden />
  </span>
)

function Column({
  title,
  none,
  children,
}: {
  title: string
  none: string
  children: ReactNode[] | ReactNode
}) {
  const isEmpty = Array.isArray(children) && children.length === 0
  return (
    <section className={styles['column']}>
      <h3 className={styles['note']}>{title}</h3>
      {isEmpty ? (
        <p className={styles['node']} data-none>
          {none}
        </p>
      ) : (
        <ul>{children}</ul>
      )}
    </section>
  )
}

interface InheritProps {
  readonly role: string
  readonly known: readonly string[]
  readonly onClose: () => void
}

function Inherit({ role, known, onClose }: InheritProps) {
  const [inherited, setInherited] = useState<string | null>(null)
  const [isShown, setShown] = useState(false)
  const grant = useChange(perms.grantRoleToRole)
  const { ask, question } = useAdminQuestion()
  const grantee = { kind: 'role', name: role } as const
  const confirm = async () => {
    setShown(true)
    if (inherited === null || !(await ask({ name: role, roles: [inherited] }))) return false
    await grant.mutateAsync({ role: inherited, toRole: role })
    return true
  }
  return (
    <ChangeDialog
      title={t('access.inherits.addTitle', { name: role })}
      confirmLabel={t('access.inherits.addConfirm')}
      planned={inherited === null ? null : { change: 'grant-role', role: inherited, grantee }}
      onConfirm={confirm}
      onClose={onClose}
    >
      <RolePicker
        label={t('access.pick.role')}
        value={inherited}
        onChange={setInherited}
        without={[role, 'public', ...known]}
        error={isShown && inherited === null ? t('access.pick.chooseRole') : undefined}
      />
      {question}
    </ChangeDialog>
  )
}

function Disinherit(props: { role: string; inherited: string; onClose: () => void }) {
  const { role, inherited, onClose } = props
  const revoke = useChange(perms.revokeRoleFromRole)
  const confirm = async () => {
    await revoke.mutateAsync({ role: inherited, fromRole: role })
    return true
  }
  return (
    <ChangeDialog
      danger
      title={t('access.inherits.removeTitle', { name: role, role: inherited })}
      confirmLabel={t('access.inherits.removeConfirm')}
      planned={{ change: 'revoke-role', role: inherited, grantee: { kind: 'role', name: role } }}
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}
