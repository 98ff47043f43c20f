import { perms } from '@boathouse/contract/perms'
import { type BuiltInRole, isBuiltIn } from '@boathouse/contract/roles'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { callQuery } from '../../lib/api.ts'
import { ConfirmDialog } from '../../ui/index.ts'
import styles from './access.module.css'

type AdminRole = Exclude<BuiltInRole, 'public'>

interface Gain {
  /** Who gains it: a user or a role. */
  readonly name: string
  readonly roles: readonly string[]
}

interface Brought {
  readonly role: string
  readonly admin: readonly AdminRole[]
}

interface Asked {
  readonly name: string
  readonly brought: readonly Brought[]
  answer(isYes: boolean): void
}

const isAdmin = (role: BuiltInRole): role is AdminRole => role !== 'public'

/** Asks for a confirmation before a user gets admin rights, with the role and what it allows. */
export function useAdminQuestion() {
  const client = useQueryClient()
  const [asked, setAsked] = useState<Asked | null>(null)

  async function broughtBy(role: string): Promise<Brought> {
    const query = callQuery(perms.rolesRole, { role }, { silent: true, staleTime: 0 })
    const { adminRoles } = await client.fetchQuery(query)
    return { role, admin: adminRoles.filter(isAdmin) }
  }

  /** True: nothing to ask, or the answer was yes. */
  async function ask({ name, roles }: Gain): Promise<boolean> {
    const all = await Promise.all(roles.map(broughtBy))
    const brought = all.filter(({ admin }) => admin.length > 0)
    if (brought.length === 0) return true
    return new Promise((resolve) => {
      const answer = (isYes: boolean) => {
        setAsked(null)
        resolve(isYes)
      }
      setAsked({ name, brought, answer })
    })
  }
  return { ask, question: asked && <Question asked={asked} /> }
}

function Question({ asked: { name, brought, answer } }: { asked: Asked }) {
  return (
    <ConfirmDialog
      open
      danger
      title={t('access.admin.title', { name })}
      confirmLabel={t('access.admin.confirm')}
      onClose={() => answer(false)}
      onConfirm={() => answer(true)}
    >
      {brought.map(({ role, admin }) => (
        <section key={role}>
          <p>
            {isBuiltIn(role)
              ? t('access.admin.byItself', { role, name })
              : t('access.admin.byOther', { role, name, brings: admin.join(', ') })}
          </p>
          <ul className={styles['parts']}>
            {admin.map((one) => (
              <li key={one}>{t(`access.admin.may.${one}`)}</li>
            ))}
          </ul>
        </section>
      ))}
    </ConfirmDialog>
  )
}
