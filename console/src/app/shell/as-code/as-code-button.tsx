import { useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useRecentChanges } from '../../../lib/recent-changes.ts'
import { IconCode } from '../../../ui/icons.ts'
import { IconButton } from '../../../ui/index.ts'
import { useOverlay } from '../overlay.ts'
import styles from '../top-bar.module.css'

/** Whatever was changed in this window can be read as SQL and as a call; a dot says that there is something new. */
export function AsCodeButton() {
  const { overlay, show } = useOverlay()
  const isOpen = overlay === 'as code'
  const newest = useRecentChanges()[0]?.id ?? 0
  const [seen, setSeen] = useState(0)
  if (isOpen && seen !== newest) setSeen(newest)
  const isNew = newest > seen
  return (
    <IconButton
      label={isNew ? t('shell.asCodeNew') : t('shell.asCode')}
      aria-expanded={isOpen}
      className={isNew ? styles['new'] : undefined}
      onClick={() => show(isOpen ? null : 'as code')}
    >
      <IconCode size={18} stroke={1.6} aria-hidden />
    </IconButton>
  )
}
