import { perms } from '@boathouse/contract/perms'
import { objectOf } from '@boathouse/contract/privileges'
import { DEFAULT_WAREHOUSE_NAME, warehouse, type WarehouseDetails } from '@boathouse/contract/warehouse'
import { UserName } from '@boathouse/contract/rules'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useAction, useCall } from '../../lib/api.ts'
import { ruleOf } from '../../lib/form.ts'
import {
  Button,
  ConfirmDialog,
  NameField,
  Properties,
  Refusal,
  SideSection,
  useProblems,
} from '../../ui/index.ts'
import styles from './warehouse.module.css'

const objectFor = ({ name }: WarehouseDetails) => objectOf('warehouse', { name })

/** To whom its use was granted, and to whom else it shall be. */
export function WhoMayUse({ of }: { of: WarehouseDetails }) {
  const grants = useCall(warehouse.grants, { warehouseId: of.warehouseId }, { silent: true }).data?.grants
  const [isOpen, setOpen] = useState(false)
  const revoke = useAction(perms.revokePrivFromUser, { refreshes: [warehouse.grants] })
  if (!grants) return null
  return (
    <SideSection
      title={t('warehouse.detail.who')}
      action={
        <Button size="sm" onClick={() => setOpen(true)}>
          {t('warehouse.detail.grant')}
        </Button>
      }
    >
      {of.name === DEFAULT_WAREHOUSE_NAME && (
        <p className={styles['note']}>{t('warehouse.detail.whoEveryone')}</p>
      )}
      {grants.length === 0 && <p className={styles['note']}>{t('warehouse.detail.whoNone')}</p>}
      <Properties
        items={grants.map(({ kind, name, privileges }) => [
          kind === 'role' ? `${name} (${t('warehouse.detail.role')})` : name,
          <span key={name} className={styles['copied']}>
            {privileges.join(', ').toLowerCase()}
            {kind === 'user' && privileges.includes('USAGE') && (
              <Button
                size="sm"
                aria-label={t('warehouse.detail.revokeFrom', { name })}
                onClick={() => revoke.mutate({ user: name, object: objectFor(of), privileges: ['USAGE'] })}
              >
                {t('warehouse.detail.revoke')}
              </Button>
            )}
          </span>,
        ])}
      />
      {isOpen && <GrantDialog of={of} onClose={() => setOpen(false)} />}
    </SideSection>
  )
}

function GrantDialog({ of, onClose }: { of: WarehouseDetails; onClose: () => void }) {
  const [user, setUser] = useState('')
  const name = user.trim()
  const problems = useProblems({
    user: name === '' ? t('warehouse.detail.grantMissing') : ruleOf(UserName)(name, null),
  })
  const grant = useAction(perms.grantPrivToUser, { silent: true, refreshes: [warehouse.grants] })
  const confirm = async () => {
    if (!problems.accept()) return
    await grant
      .mutateAsync({ user: name, object: objectFor(of), privileges: ['USAGE'] })
      .then(onClose, () => undefined)
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={confirm}
      title={t('warehouse.detail.grantTitle', { name: of.name })}
      confirmLabel={t('warehouse.detail.grantConfirm')}
    >
      <NameField
        {...problems.of('user')}
        label={t('warehouse.detail.grantUser')}
        help={t('warehouse.detail.grantHelp')}
        value={user}
        onChange={(event) => setUser(event.target.value)}
      />
      <Refusal text={grant.error?.message} />
    </ConfirmDialog>
  )
}
