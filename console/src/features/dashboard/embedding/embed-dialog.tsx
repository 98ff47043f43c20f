import '../../../i18n/embed.ts'
import type { Dashboard } from '@boathouse/contract/dashboard'
import { type Embed, embed as calls } from '@boathouse/contract/embed'
import { type ReactNode, useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useAction, useCall } from '../../../lib/api.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { Button, ConfirmDialog, Dialog, ErrorState, notify, Skeleton } from '../../../ui/index.ts'
import styles from './embedding.module.css'
import { MadeLink } from './made-link.tsx'
import { NewLink } from './new-link.tsx'

interface Props {
  readonly dashboard: Dashboard
  readonly onClose: () => void
}

/** The links of a dashboard, and a new one. */
export function EmbedDialog({ dashboard, onClose }: Props) {
  const { dashboardId, name, runsAs } = dashboard
  const [path, setPath] = useState<string | null>(null)
  const { data, error, refetch } = useCall(calls.list, { dashboardId }, { silent: true, staleTime: 0 })
  if (path !== null) return <MadeLink name={name} path={path} onClose={() => setPath(null)} />
  return (
    <Dialog
      open
      width={600}
      title={t('embed.title', { name })}
      onClose={onClose}
      footer={<Button onClick={onClose}>{t('ui.close')}</Button>}
    >
      <div className={styles['dialog']}>
        <p>{t('embed.lead')}</p>
        {error && !data && (
          <ErrorState title={t('embed.failed')} what={error.message} onRetry={() => void refetch()} />
        )}
        {!data && !error && <Skeleton height={160} />}
        {data && (
          <>
            <NewOrWhyNot isAllowed={data.isAllowed} runsAs={runsAs}>
              <Notes dashboard={dashboard} />
              <NewLink dashboardId={dashboardId} onMade={setPath} />
            </NewOrWhyNot>
            <Links name={name} embeds={data.embeds} />
          </>
        )}
      </div>
    </Dialog>
  )
}

interface WhyNotProps extends Pick<Dashboard, 'runsAs'> {
  readonly isAllowed: boolean
  readonly children: ReactNode
}

function NewOrWhyNot({ isAllowed, runsAs, children }: WhyNotProps) {
  if (!isAllowed) return <p className={styles['why']}>{t('embed.off')}</p>
  return runsAs === 'owner' ? children : <p className={styles['why']}>{t('embed.notOwners')}</p>
}

function Notes({ dashboard: { schedule, parameters } }: { readonly dashboard: Dashboard }) {
  return (
    <>
      {schedule === null && <p className={styles['note']}>{t('embed.unscheduled')}</p>}
      {parameters.length > 0 && <p className={styles['note']}>{t('embed.filters')}</p>}
    </>
  )
}

const websitesOf = ({ origins }: Pick<Embed, 'origins'>): string =>
  origins.length === 0 ? t('embed.linkAlone') : origins.join(', ')

const expiryOf = ({ expiresAt, isExpired }: Pick<Embed, 'expiresAt' | 'isExpired'>): string => {
  if (isExpired) return t('embed.expired')
  return expiresAt === null ? t('embed.never') : formatDateTime(expiresAt)
}

function Links({ name, embeds }: { readonly name: string; readonly embeds: readonly Embed[] }) {
  const [revoked, setRevoked] = useState<Embed | null>(null)
  const revoke = useAction(calls.revoke, { refreshes: [calls.list, calls.listAll] })
  const confirm = async () => {
    if (!revoked) return
    await revoke.mutateAsync({ embedId: revoked.embedId })
    notify({ tone: 'ok', message: t('embed.revocation.done') })
    setRevoked(null)
  }
  if (embeds.length === 0) return <p className={styles['note']}>{t('embed.none')}</p>
  return (
    <>
      <ul className={styles['links']} aria-label={t('embed.links')}>
        {embeds.map((one) => (
          <li key={one.embedId}>
            <dl>
              <dt>{t('embed.column.created')}</dt>
              <dd>{formatDateTime(one.createdAt)}</dd>
              <dt>{t('embed.column.websites')}</dt>
              <dd>{websitesOf(one)}</dd>
              <dt>{t('embed.column.expires')}</dt>
              <dd>{expiryOf(one)}</dd>
              <dt>{t('embed.column.used')}</dt>
              <dd>{one.lastUsedAt === null ? t('embed.never') : formatDateTime(one.lastUsedAt)}</dd>
            </dl>
            <Button
              size="sm"
              aria-label={t('embed.revokeOf', { time: formatDateTime(one.createdAt) })}
              onClick={() => setRevoked(one)}
            >
              {t('embed.revoke')}
            </Button>
          </li>
        ))}
      </ul>
      {revoked && (
        <ConfirmDialog
          open
          danger
          title={t('embed.revocation.title', { name })}
          confirmLabel={t('embed.revocation.confirm')}
          onConfirm={confirm}
          onClose={() => setRevoked(null)}
        >
          <p>{t('embed.revocation.body')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
