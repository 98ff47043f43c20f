import type { account as accountCalls } from '@boathouse/contract/account'
import type { Output } from '@boathouse/contract/call'
import { type ReactNode, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { formatDateTime } from '../../lib/format.ts'
import { IconCopy } from '../../ui/icons.ts'
import { Button, IconButton, Panel, Skeleton, useCopy } from '../../ui/index.ts'
import styles from './home.module.css'
import { PackagesDialog } from './packages-dialog.tsx'

export type AccountDetails = Output<typeof accountCalls.details>

export function AccountPanel({ details }: { details: AccountDetails | undefined }) {
  const [isOpen, setOpen] = useState(false)
  const edition = details?.edition === 'lake' ? t('home.editionLake') : t('home.editionStandard')
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t('home.accountName'), details?.accountName],
    [t('home.accountId'), details && <CopiedId key="id" id={details.accountId} />],
    [t('home.organisation'), details?.organisation],
    [t('home.region'), details && `${details.csp} · ${details.region}`],
    [t('home.edition'), details && edition],
    [t('home.engineVersion'), details?.engineVersion],
    [t('home.version'), details?.version],
    [t('home.createdBy'), details && (details.createdBy || '–')],
    [t('home.createdAt'), details && formatDateTime(details.createdAt)],
  ]
  return (
    <Panel
      title={t('home.account')}
      actions={
        <Button size="sm" onClick={() => setOpen(true)}>
          {t('home.packages.open')}
        </Button>
      }
    >
      <dl className={styles['facts']}>
        {facts.map(([name, value]) => (
          <div key={name} className={styles['fact']}>
            <dt>{name}</dt>
            <dd>{value ?? <Skeleton width={120} />}</dd>
          </div>
        ))}
      </dl>
      {isOpen && <PackagesDialog onClose={() => setOpen(false)} />}
    </Panel>
  )
}

function CopiedId({ id }: { id: string }) {
  const copy = useCopy()
  return (
    <span className={styles['copied']}>
      <code>{id}</code>
      <IconButton label={t('home.copyAccountId')} size="sm" onClick={() => copy(id)}>
        <IconCopy size={14} aria-hidden />
      </IconButton>
    </span>
  )
}
