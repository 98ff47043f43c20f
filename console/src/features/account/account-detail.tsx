import { org } from '@boathouse/contract/org'
import type { ReactNode } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { IconCopy, IconExternalLink } from '../../ui/icons.ts'
import { Button, buttonClassName, Dialog, ErrorState, IconButton, useCopy } from '../../ui/index.ts'
import { AccountState } from './account-state.tsx'
import styles from './account.module.css'
import { CloudRegion } from './cloud-region.tsx'
import { Facts } from './facts.tsx'

interface Props {
  readonly accountId: string
  readonly onClose: () => void
  readonly onRelease: (accountId: string) => void
  readonly signInAddress: (accountId: string, region: string) => string
  readonly support: ReactNode
}

export function AccountDetail({ accountId, onClose, onRelease, signInAddress, support }: Props) {
  const { data, isError, error, refetch } = useCall(org.accountDetail, { accountId }, { silent: true })
  const address = data && signInAddress(accountId, data.region)
  const type = data?.isRoot ? t('account.detail.typeRoot') : t('account.detail.typeNormal')
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t('account.detail.name'), data?.name],
    [t('account.detail.id'), <code key="id">{accountId}</code>],
    [t('account.detail.type'), data && type],
    [t('account.detail.state'), data && <AccountState key="state" state={data.state} />],
    [t('account.detail.region'), data && <CloudRegion key="region" {...data} />],
    [t('account.detail.created'), data && formatDateTime(data.createdAt)],
    [t('account.detail.creator'), data?.creator],
    [t('account.detail.email'), data && (data.creatorEmail || '–')],
    [t('account.detail.administrator'), data?.administrator],
    [t('account.detail.administratorEmail'), data && (data.administratorEmail || '–')],
    [t('account.detail.edition'), data && t(`account.editions.${data.edition}`)],
    [t('account.detail.login'), address && <LoginAddress key="login" address={address} />],
  ]
  const footer = (
    <>
      {data?.mayRelease && (
        <Button variant="danger" className={styles['far']} onClick={() => onRelease(accountId)}>
          {t('account.detail.delete')}
        </Button>
      )}
      <Button onClick={onClose}>{t('account.detail.close')}</Button>
      {address && (
        <a
          className={buttonClassName({ variant: 'primary' })}
          href={address}
          target="_blank"
          rel="noreferrer"
        >
          <IconExternalLink size={16} aria-hidden />
          {t('account.detail.open')}
        </a>
      )}
    </>
  )
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('account.detail.title', { name: data?.name ?? accountId })}
      width={560}
      footer={footer}
    >
      {isError ? (
        <ErrorState title={t('account.detail.failed')} what={error.message} onRetry={() => void refetch()} />
      ) : (
        <>
          <Facts facts={facts} />
          {data?.edition === 'lake' && (
            <div className={styles['notice']}>
              <p>{t('account.detail.upgrade')}</p>
              {support}
            </div>
          )}
          {data?.isRoot && <p className={styles['note']}>{t('account.detail.rootStays')}</p>}
        </>
      )}
    </Dialog>
  )
}

function LoginAddress({ address }: { address: string }) {
  const copy = useCopy()
  return (
    <span className={styles['copied']}>
      <code>{address}</code>
      <IconButton label={t('account.detail.copyLogin')} size="sm" onClick={() => copy(address)}>
        <IconCopy size={14} aria-hidden />
      </IconButton>
    </span>
  )
}
