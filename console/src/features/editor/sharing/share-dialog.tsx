import '../../../i18n/sharing.ts'
import { result } from '@boathouse/contract/result'
import { useParams, useRouter } from '@tanstack/react-router'
import { t } from '../../../i18n/texts.ts'
import { useAction, useCall } from '../../../lib/api.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { Button, Dialog, notify, Refusal, Skeleton, TextField, useCopy } from '../../../ui/index.ts'

interface Props {
  readonly queryId: string
  readonly open: boolean
  readonly onClose: () => void
}

function useLink(queryId: string): string {
  const { region = '', aid = '' }: { region?: string; aid?: string } = useParams({ strict: false })
  const router = useRouter()
  const params = { region, aid, queryId }
  const { href } = router.buildLocation({ to: '/$region/$aid/editor/result/$queryId', params })
  return new URL(href, window.location.href).href
}

/** Makes a kept result one that others may look at, and takes that back. */
export function ShareDialog({ queryId, open, onClose }: Props) {
  const facts = useCall(result.facts, { queryId }, { silent: true, enabled: open, staleTime: 0 })
  const share = useAction(result.share, { silent: true, refreshes: [result.facts] })
  const unshare = useAction(result.unshare, { silent: true, refreshes: [result.facts] })
  const copy = useCopy()
  const link = useLink(queryId)
  const isShared = facts.data?.isShared ?? false
  const stop = () =>
    unshare.mutate({ queryId }, { onSuccess: () => notify({ tone: 'ok', message: t('sharing.stopped') }) })
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('sharing.title')}
      footer={
        isShared ? (
          <>
            <Button loading={unshare.isPending} onClick={stop}>
              {t('sharing.stop')}
            </Button>
            <Button variant="primary" onClick={() => copy(link)}>
              {t('sharing.copy')}
            </Button>
          </>
        ) : (
          <>
            <Button onClick={onClose}>{t('ui.cancel')}</Button>
            <Button
              variant="primary"
              disabled={!facts.data}
              loading={share.isPending}
              onClick={() => share.mutate({ queryId })}
            >
              {t('sharing.share')}
            </Button>
          </>
        )
      }
    >
      <p>{t('sharing.who')}</p>
      {facts.data && <p>{t('sharing.until', { time: formatDateTime(facts.data.expiresAt) })}</p>}
      {facts.isPending && <Skeleton height={40} />}
      {isShared && (
        <TextField
          label={t('sharing.link')}
          mono
          readOnly
          value={link}
          onFocus={(event) => event.target.select()}
        />
      )}
      <Refusal text={(share.error ?? unshare.error ?? facts.error)?.message} />
    </Dialog>
  )
}
