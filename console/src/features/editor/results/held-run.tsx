import { t } from '../../../i18n/texts.ts'
import { Button } from '../../../ui/index.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import type { Run } from '../running/run.ts'
import styles from './results.module.css'

/** Nothing has left this browser yet; a statement that changes data is not sent without a confirmation. */
export function HeldRun({ tabId, run }: { tabId: string; run: Run }) {
  const { runner } = useEditorRuntime()
  const isAsked = run.held === 'ask'
  return (
    <div className={styles['running']}>
      <p role="status">{t(isAsked ? 'editor.result.heldWrites' : 'editor.result.held')}</p>
      <div className={styles['errorActions']}>
        {isAsked && (
          <Button size="sm" variant="primary" onClick={() => runner.sendHeld(tabId)}>
            {t('editor.result.send')}
          </Button>
        )}
        <Button size="sm" onClick={() => void runner.stop(tabId)}>
          {t('editor.result.cancelHeld')}
        </Button>
      </div>
    </div>
  )
}
