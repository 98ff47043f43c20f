import '../../../i18n/together.ts'
import type { ShareLevel } from '@boathouse/contract/editor-shares'
import { t } from '../../../i18n/texts.ts'
import { Button } from '../../../ui/index.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { IconUsers } from '../icons.ts'
import { useEditorState } from '../tabs/editor-store.ts'
import styles from '../editor-page.module.css'

/** Whose query it is, and what the user may do with it. */
export function SharedBanner({ tabId, access }: { tabId: string; access: ShareLevel }) {
  const { store, saver } = useEditorRuntime()
  const owner = useEditorState(store, ({ tabs }) => tabs[tabId]?.owner ?? '')
  return (
    <div className={styles['banner']} data-tone="info" role="note">
      <IconUsers size={16} stroke={1.8} aria-hidden />
      <p className={styles['bannerText']}>{t(`together.banner.${access}`, { owner })}</p>
      <Button size="sm" onClick={() => saver.saveCopy(tabId)}>
        {t('together.banner.copy')}
      </Button>
    </div>
  )
}
