import '../../../i18n/embed.ts'
import { embed as calls, type ListedEmbed } from '@boathouse/contract/embed'
import { useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useAction, useCall } from '../../../lib/api.ts'
import { ConfirmDialog, DataTable, EmptyState, notify, Skeleton, Switch } from '../../../ui/index.ts'
import styles from '../security.module.css'
import { TabFailure } from '../tab-failure.tsx'
import { linkColumns } from './link-columns.tsx'

/** Whether dashboards can be embedded, and all links of the account. */
export function EmbeddingTab() {
  const [wanted, setWanted] = useState<boolean | null>(null)
  const [revoked, setRevoked] = useState<ListedEmbed | null>(null)
  const { data, error, refetch } = useCall(calls.listAll, {}, { silent: true, staleTime: 0 })
  const refreshes = [calls.list, calls.listAll]
  const change = useAction(calls.changeSettings, { refreshes })
  const revoke = useAction(calls.revoke, { refreshes })
  if (!data && error)
    return <TabFailure title={t('embed.failed')} error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={240} />
  const { isAllowed, embeds } = data
  const allow = async (next: boolean) => {
    setWanted(next)
    const done = await change.mutateAsync({ isAllowed: next }).catch(() => null)
    setWanted(null)
    if (done) notify({ tone: 'ok', message: t(next ? 'embed.security.allowed' : 'embed.security.forbidden') })
  }
  const confirm = async () => {
    if (!revoked) return
    await revoke.mutateAsync({ embedId: revoked.embedId })
    notify({ tone: 'ok', message: t('embed.revocation.done') })
    setRevoked(null)
  }
  return (
    <section className={styles['tab']} aria-label={t('embed.security.tab')}>
      <div className={styles['lead']}>
        <p>{t('embed.security.lead')}</p>
        <Switch
          label={t('embed.security.switch')}
          help={t('embed.security.switchHelp')}
          checked={wanted ?? isAllowed}
          onChange={(next) => void allow(next)}
        />
      </div>
      {embeds.length === 0 ? (
        <EmptyState title={t('embed.security.empty')}>
          <p>{t(isAllowed ? 'embed.security.emptyOn' : 'embed.security.emptyOff')}</p>
        </EmptyState>
      ) : (
        <DataTable
          label={t('embed.links')}
          columns={linkColumns(setRevoked)}
          rows={embeds}
          rowKey={({ embedId }) => embedId}
        />
      )}
      {revoked && (
        <ConfirmDialog
          open
          danger
          title={t('embed.revocation.title', { name: revoked.dashboard })}
          confirmLabel={t('embed.revocation.confirm')}
          onConfirm={confirm}
          onClose={() => setRevoked(null)}
        >
          <p>{t('embed.revocation.body')}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}
