import { type AlertDelivery, alert as calls, type AlertRule } from '@boathouse/contract/alert'
import { useInfiniteQuery } from '@tanstack/react-query'
import { t } from '../../i18n/texts.ts'
import { queryKeyOf, send, useAction } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import {
  Button,
  CodeBlock,
  Dialog,
  EmptyState,
  ErrorState,
  notify,
  Skeleton,
  StateDot,
  type Tone,
} from '../../ui/index.ts'
import styles from './alert.module.css'
import { eventName } from './names.ts'

const TONES: Readonly<Record<AlertDelivery['state'], Tone>> = {
  waiting: 'warn',
  delivered: 'ok',
  failed: 'err',
  mailed: 'ok',
}

/** While something waits, it is looked at again. */
const FOLLOWED_MS = 3_000

/** Page after page behind one another, newest first. */
const useDeliveries = (ruleId: string) =>
  useInfiniteQuery({
    queryKey: [...queryKeyOf(calls.deliveries), ruleId],
    queryFn: ({ pageParam, signal }) =>
      send(calls.deliveries, { ruleId, cursor: pageParam || null }, { signal, silent: true }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ deliveries }) => deliveries.some(({ state }) => state === 'waiting')) &&
      FOLLOWED_MS,
  })

interface Props {
  readonly rule: AlertRule
  readonly onClose: () => void
}

/** What became of each notification of a rule. */
export function DeliveryLog({ rule, onClose }: Props) {
  const list = useDeliveries(rule.ruleId)
  const footer = (
    <>
      <Button loading={list.isRefetching} onClick={() => void list.refetch()}>
        {t('alerts.deliveries.refresh')}
      </Button>
      <Button variant="primary" onClick={onClose}>
        {t('ui.close')}
      </Button>
    </>
  )
  return (
    <Dialog
      open
      width={680}
      title={t('alerts.deliveries.title', { name: rule.name })}
      onClose={onClose}
      footer={footer}
    >
      <div className={styles['log']}>
        <Listed list={list} />
        {list.hasNextPage && (
          <Button loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {t('alerts.deliveries.more')}
          </Button>
        )}
      </div>
    </Dialog>
  )
}

function Listed({ list }: { list: ReturnType<typeof useDeliveries> }) {
  const { data, error, refetch } = list
  if (error && !data)
    return (
      <ErrorState title={t('alerts.deliveries.failed')} what={error.message} onRetry={() => void refetch()} />
    )
  if (!data) return <Skeleton height={200} />
  const deliveries = data.pages.flatMap((page) => page.deliveries)
  if (deliveries.length === 0)
    return (
      <EmptyState title={t('alerts.deliveries.empty')}>
        <p>{t('alerts.deliveries.emptyBody')}</p>
      </EmptyState>
    )
  return (
    <ul className={styles['entries']}>
      {deliveries.map((delivery) => (
        <Entry key={delivery.deliveryId} of={delivery} />
      ))}
    </ul>
  )
}

const factsOf = ({ createdAt, attempts, mailedTo, status, nextAttemptAt }: AlertDelivery): string =>
  [
    formatDateTime(createdAt),
    ...(attempts > 0 ? [t('alerts.deliveries.attempts', { count: attempts })] : []),
    ...(mailedTo > 0 ? [t('alerts.deliveries.mailedTo', { count: mailedTo })] : []),
    ...(status === null ? [] : [t('alerts.deliveries.status', { status: String(status) })]),
    ...(nextAttemptAt === null ? [] : [t('alerts.deliveries.next', { at: formatDateTime(nextAttemptAt) })]),
  ].join(' · ')

function Entry({ of }: { of: AlertDelivery }) {
  const again = useAction(calls.redeliver, { refreshes: [calls.deliveries] })
  const resend = () =>
    again.mutate(
      { deliveryId: of.deliveryId },
      { onSuccess: () => notify({ tone: 'ok', message: t('alerts.deliveries.againDone') }) },
    )
  return (
    <li className={styles['entry']}>
      <div className={styles['head']}>
        <strong>{eventName(of.event)}</strong>
        <StateDot tone={TONES[of.state]}>{t(`alerts.deliveries.states.${of.state}`)}</StateDot>
      </div>
      <p className={styles['note']}>{factsOf(of)}</p>
      {of.error !== '' && <p className={styles['error']}>{of.error}</p>}
      <details>
        <summary>{t('alerts.deliveries.sent')}</summary>
        <CodeBlock code={of.body} label={t('alerts.deliveries.sent')} />
      </details>
      {of.answer !== '' && (
        <details>
          <summary>{t('alerts.deliveries.answer')}</summary>
          <CodeBlock code={of.answer} label={t('alerts.deliveries.answer')} />
        </details>
      )}
      {of.state !== 'mailed' && (
        <div className={styles['tools']}>
          <Button size="sm" loading={again.isPending} onClick={resend}>
            {t('alerts.deliveries.again')}
          </Button>
        </div>
      )}
    </li>
  )
}
