import type { Output } from '@boathouse/contract/call'
import type { AccountListItem, org, Trial } from '@boathouse/contract/org'
import type { ReactNode } from 'react'
import { t } from '../../i18n/texts.ts'
import { formatDateTime } from '../../lib/format.ts'
import { Panel } from '../../ui/index.ts'
import { Facts } from './facts.tsx'

interface Props {
  readonly org: Output<typeof org.detail> | undefined
  readonly trial: Trial | null
  readonly accounts: readonly AccountListItem[] | undefined
}

const SOURCE_MARKETPLACE = 2

export function OrganisationPanel({ org, trial, accounts }: Props) {
  const root = accounts?.find((account) => account.isRoot)
  const source =
    org?.source === SOURCE_MARKETPLACE
      ? t('account.organisation.sourceMarketplace')
      : t('account.organisation.sourceDirect')
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t('account.organisation.name'), org?.name],
    [t('account.organisation.id'), org && <code key="id">{org.orgId}</code>],
    [t('account.organisation.root'), org && root && `${root.name} · ${root.accountId}`],
    [t('account.organisation.created'), org && formatDateTime(org.createdAt)],
    [t('account.organisation.source'), org && source],
    [t('account.organisation.trial'), org && <TrialWords key="trial" trial={trial} />],
  ]
  return (
    <Panel title={t('account.organisation.title')}>
      <Facts facts={facts} columns={2} />
    </Panel>
  )
}

function TrialWords({ trial }: { trial: Trial | null }) {
  if (!trial) return t('account.organisation.noTrial')
  if (trial.hasEnded) return t('account.organisation.trialEnded')
  const end = formatDateTime(trial.endsAt)
  return trial.daysLeft === 1
    ? t('account.organisation.trialLastDay', { end })
    : t('account.organisation.trialRuns', { days: trial.daysLeft, end })
}
