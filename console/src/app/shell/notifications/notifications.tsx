import '../../../i18n/notifications.ts'
import { MESSAGE_TYPES, type UnreadMessage, user as userCalls } from '@boathouse/contract/user'
import { messageCalls } from '@boathouse/contract/user-messages'
import { useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useAction, useCall } from '../../../lib/api.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { IconBell } from '../../../ui/icons.ts'
import {
  Badge,
  Button,
  Drawer,
  EmptyState,
  ErrorState,
  Pager,
  type PastNotice,
  Skeleton,
  usePastNotices,
} from '../../../ui/index.ts'
import styles from './notifications.module.css'

const PAGE = 10

/** Messages of the service to this user, and notifications of this window. */
export function Notifications({ onClose }: { onClose: () => void }) {
  return (
    <Drawer title={t('notifications.title')} onClose={onClose}>
      <Messages />
      <Notices />
    </Drawer>
  )
}

/** One that was written before names were has none. */
const called = (name: string): string => (name === '' ? t('notifications.someQuery') : `“${name}”`)

const textOf = ({ type, about: name }: UnreadMessage): string => {
  if (type === MESSAGE_TYPES.TrialStarted) return t('notifications.trialStarted')
  if (type === MESSAGE_TYPES.TrialEnding) return t('notifications.trialEnding')
  if (type === MESSAGE_TYPES.BudgetWarning) return t('notifications.budgetWarning')
  if (type === MESSAGE_TYPES.BudgetReached) return t('notifications.budgetReached')
  if (type === MESSAGE_TYPES.IntegrationAnswered) return t('notifications.integrationAnswered')
  if (type === MESSAGE_TYPES.PipeSuspended) return t('notifications.pipeSuspended')
  if (type === MESSAGE_TYPES.ScheduleFailed) return t('notifications.scheduleFailed', { name: called(name) })
  if (type === MESSAGE_TYPES.ScheduleCondition)
    return t('notifications.scheduleCondition', { name: called(name) })
  return t('notifications.unknown', { type })
}

function Messages() {
  /** The cursors of the pages so far; the last is that of the one on the screen. */
  const [cursors, setCursors] = useState<readonly (string | null)[]>([null])
  const { data, isError, refetch } = useCall(messageCalls.listMessages, {
    cursor: cursors.at(-1) ?? null,
    limit: PAGE,
  })
  const read = useAction(userCalls.markMessageRead, {
    refreshes: [userCalls.listUnreadMessages, messageCalls.listMessages],
  })
  const next = data?.nextCursor ?? null
  return (
    <section aria-label={t('notifications.messages')}>
      <h3 className={styles['heading']}>{t('notifications.messages')}</h3>
      {isError && <ErrorState title={t('notifications.failed')} onRetry={() => void refetch()} />}
      {!data && !isError && <Skeleton height={36} />}
      {data?.messages.length === 0 && <p className={styles['none']}>{t('notifications.noMessages')}</p>}
      <ul className={styles['list']}>
        {data?.messages.map((message) => (
          <Message
            key={message.messageId}
            message={message}
            onRead={() => read.mutate({ messageId: message.messageId })}
          />
        ))}
      </ul>
      {(cursors.length > 1 || next !== null) && (
        <div className={styles['pages']}>
          <Button size="sm" disabled={cursors.length === 1} onClick={() => setCursors(cursors.slice(0, -1))}>
            {t('notifications.newer')}
          </Button>
          <Button size="sm" disabled={next === null} onClick={() => setCursors([...cursors, next])}>
            {t('notifications.older')}
          </Button>
        </div>
      )}
    </section>
  )
}

function Message({ message, onRead }: { message: UnreadMessage; onRead: () => void }) {
  return (
    <li className={styles['item']}>
      <p>{textOf(message)}</p>
      <p className={styles['when']}>{formatDateTime(message.createdAt)}</p>
      {!message.read && (
        <Button size="sm" onClick={onRead}>
          {t('notifications.markRead')}
        </Button>
      )}
    </li>
  )
}

function Notices() {
  const notices = usePastNotices()
  const [page, setPage] = useState(1)
  const last = Math.max(1, Math.ceil(notices.length / PAGE))
  const shown = notices.slice((Math.min(page, last) - 1) * PAGE).slice(0, PAGE)
  return (
    <section aria-label={t('notifications.window')}>
      <h3 className={styles['heading']}>{t('notifications.window')}</h3>
      {notices.length === 0 ? (
        <EmptyState icon={<IconBell size={22} stroke={1.5} aria-hidden />} title={t('notifications.nothing')}>
          <p>{t('notifications.nothingText')}</p>
        </EmptyState>
      ) : (
        <ul className={styles['list']}>
          {shown.map((notice) => (
            <OneNotice key={notice.id} notice={notice} />
          ))}
        </ul>
      )}
      <Pager
        label={t('notifications.window')}
        page={Math.min(page, last)}
        pageSize={PAGE}
        total={notices.length}
        onPage={setPage}
      />
    </section>
  )
}

const TONES = { ok: 'ok', info: 'accent', warn: 'warn', err: 'err' } as const

function OneNotice({ notice }: { notice: PastNotice }) {
  return (
    <li className={styles['item']}>
      <p>
        <Badge tone={TONES[notice.tone]}>{t(`notifications.tones.${notice.tone}`)}</Badge> {notice.message}
      </p>
      <p className={styles['when']}>{formatDateTime(new Date(notice.at).toISOString())}</p>
    </li>
  )
}
