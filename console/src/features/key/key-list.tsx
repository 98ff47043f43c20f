import '../../i18n/keys.ts'
import { type ApiKey, key as keyCalls } from '@boathouse/contract/key'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useAction, useCall } from '../../lib/api.ts'
import { IconKey, IconPlus } from '../../ui/icons.ts'
import { Button, ConfirmDialog, EmptyState, ErrorState, notify, Skeleton } from '../../ui/index.ts'
import { CreateKey } from './create-key.tsx'
import styles from './key.module.css'
import { KeyEntry } from './key-entry.tsx'
import { RotateKey } from './rotate-key.tsx'
import { type MadeKey, ShownSecret } from './shown-secret.tsx'

/** Whose keys: one's own, those of a service user, or those of a person, which can only be revoked. */
export interface KeyOwner {
  readonly user: string
  readonly kind: 'self' | 'service' | 'person'
}

type Open = { readonly is: 'create' } | { readonly is: 'rotate' | 'revoke'; readonly key: ApiKey }

export function KeyList({ owner }: { owner: KeyOwner }) {
  const { user, kind } = owner
  const of = kind === 'self' ? {} : { user }
  const { data, dataUpdatedAt, error, refetch } = useCall(keyCalls.list, of, { silent: true, staleTime: 0 })
  const [open, setOpen] = useState<Open | null>(null)
  const [made, setMade] = useState<MadeKey | null>(null)
  const close = () => setOpen(null)
  if (error)
    return <ErrorState title={t('keys.failed')} what={error.message} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={120} />
  const isEmpty = data.keys.length === 0
  // In the profile it is one section of many.
  const saysEmpty = isEmpty && kind !== 'self'
  const create = kind !== 'person' && (
    <Button
      variant={saysEmpty ? 'primary' : 'default'}
      size="sm"
      leftIcon={<IconPlus size={16} aria-hidden />}
      onClick={() => setOpen({ is: 'create' })}
    >
      {t('keys.create')}
    </Button>
  )
  return (
    <div className={styles['keys']}>
      {!saysEmpty && (
        <div className={styles['top']}>
          <p className={styles['note']}>{leadFor(owner)}</p>
          {create}
        </div>
      )}
      {saysEmpty && (
        <EmptyState
          icon={<IconKey size={22} stroke={1.5} aria-hidden />}
          title={t('keys.empty.title')}
          actions={create}
        >
          <p>{t(`keys.empty.${kind}`, { user })}</p>
        </EmptyState>
      )}
      {!isEmpty && (
        <ul className={styles['list']} aria-label={t('keys.list')}>
          {data.keys.map((one) => (
            <KeyEntry
              key={one.keyId}
              of={one}
              now={dataUpdatedAt}
              onRotate={kind === 'person' ? null : () => setOpen({ is: 'rotate', key: one })}
              onRevoke={() => setOpen({ is: 'revoke', key: one })}
            />
          ))}
        </ul>
      )}
      {open?.is === 'create' && <CreateKey owner={owner} onClose={close} onMade={setMade} />}
      {open?.is === 'rotate' && <RotateKey of={open.key} named={of} onClose={close} onMade={setMade} />}
      {open?.is === 'revoke' && <RevokeKey of={open.key} named={of} onClose={close} />}
      {made && <ShownSecret made={made} onClose={() => setMade(null)} />}
    </div>
  )
}

function leadFor({ user, kind }: KeyOwner): string {
  if (kind === 'self') return t('keys.lead')
  return kind === 'service' ? t('keys.leadOf', { user }) : t('keys.ofPerson', { user })
}

interface RevokeProps {
  readonly of: ApiKey
  readonly named: { readonly user?: string }
  readonly onClose: () => void
}

function RevokeKey({ of: { keyId, name }, named, onClose }: RevokeProps) {
  const revoke = useAction(keyCalls.revoke, { refreshes: [keyCalls.list] })
  const confirm = async () => {
    await revoke.mutateAsync({ ...named, keyId })
    notify({ tone: 'ok', message: t('keys.revocation.done', { name }) })
    onClose()
  }
  return (
    <ConfirmDialog
      open
      danger
      title={t('keys.revocation.title', { name })}
      confirmLabel={t('keys.revocation.submit')}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{t('keys.revocation.body')}</p>
    </ConfirmDialog>
  )
}
