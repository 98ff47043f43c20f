import { user as userCalls } from '@boathouse/contract/user'
import { useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useCall } from '../../../lib/api.ts'
import { IconBell } from '../../../ui/icons.ts'
import { IconButton, usePastNotices } from '../../../ui/index.ts'
import { useOverlay } from '../overlay.ts'
import styles from '../top-bar.module.css'

/** Opens what the account and the console have said; a dot says that there is something unread. */
export function Bell() {
  const { overlay, show } = useOverlay()
  const isOpen = overlay === 'notifications'
  const unread = useCall(userCalls.listUnreadMessages, {}, { silent: true }).data?.messages.length ?? 0
  // What went well needs no second look.
  const newest = usePastNotices().find(({ tone }) => tone === 'warn' || tone === 'err')?.id ?? 0
  const [seen, setSeen] = useState(0)
  if (isOpen && seen !== newest) setSeen(newest)
  const isNew = unread > 0 || newest > seen
  return (
    <IconButton
      label={isNew ? t('shell.notificationsNew') : t('shell.notifications')}
      aria-expanded={isOpen}
      className={isNew ? styles['new'] : undefined}
      onClick={() => show(isOpen ? null : 'notifications')}
    >
      <IconBell size={18} stroke={1.6} aria-hidden />
    </IconButton>
  )
}
