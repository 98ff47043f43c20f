import { alert as calls } from '@boathouse/contract/alert'
import { type RunDelivery, schedule } from '@boathouse/contract/schedule'
import { t } from '../../../i18n/texts.ts'
import { useAction } from '../../../lib/api.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { useSession } from '../../../lib/session.ts'
import { Button, notify, StateDot, type Tone } from '../../../ui/index.ts'
import styles from './schedules.module.css'

/** Nobody receives what was sent, now or for good. */
export const isTroubled = (delivery: RunDelivery | null | undefined): boolean =>
  delivery != null && delivery.error !== ''

const toneOf = (delivery: RunDelivery): Tone =>
  delivery.state === 'delivered' ? 'ok' : isTroubled(delivery) ? 'err' : 'warn'

function wordsOf({ state, attempts, nextAttemptAt }: RunDelivery): string {
  if (state === 'delivered') return t('schedules.webhook.delivered')
  if (nextAttemptAt === null) return t('schedules.webhook.failed', { count: attempts })
  return attempts === 0
    ? t('schedules.webhook.waiting')
    : t('schedules.webhook.again', { count: attempts, at: formatDateTime(nextAttemptAt) })
}

/** What became of what a run sent to the webhook. Only an account administrator may send it again. */
export function RunDelivered({ of, when }: { of: RunDelivery; when: string }) {
  const isAdministrator = useSession().user?.activeRoles.includes('account_admin') ?? false
  const again = useAction(calls.redeliver, { refreshes: [schedule.runs, schedule.list] })
  const send = () =>
    again.mutate(
      { deliveryId: of.deliveryId },
      { onSuccess: () => notify({ tone: 'ok', message: t('schedules.webhook.sentAgain') }) },
    )
  return (
    <>
      <StateDot tone={toneOf(of)}>{wordsOf(of)}</StateDot>
      {of.error !== '' && <p className={styles['error']}>{of.error}</p>}
      {isTroubled(of) && isAdministrator && (
        <Button
          size="sm"
          loading={again.isPending}
          aria-label={t('schedules.webhook.sendOf', { when: formatDateTime(when) })}
          onClick={send}
        >
          {t('schedules.webhook.send')}
        </Button>
      )}
    </>
  )
}
