import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { Button, CodeBlock, Dialog } from '../../ui/index.ts'
import { Banner } from './banners.tsx'
import { useEditorRuntime } from './editor-runtime.ts'
import styles from './editor-page.module.css'

/** Both texts are kept until one of them is chosen. */
export function ConflictQuestion({ tabId, saved }: { tabId: string; saved: string }) {
  const { store, saver } = useEditorRuntime()
  const [isComparing, setComparing] = useState(false)
  const keepMine = () => {
    setComparing(false)
    void saver.keepMine(tabId)
  }
  const takeSaved = () => {
    setComparing(false)
    saver.takeSaved(tabId)
  }
  const choices = (
    <>
      <Button size="sm" onClick={takeSaved}>
        {t('editor.conflict.useSaved')}
      </Button>
      <Button size="sm" variant="primary" onClick={keepMine}>
        {t('editor.conflict.useMine')}
      </Button>
    </>
  )
  return (
    <Banner role="alert">
      <p className={styles['bannerText']}>{t('editor.conflict.message')}</p>
      <Button size="sm" onClick={() => setComparing(true)}>
        {t('editor.conflict.compare')}
      </Button>
      {choices}
      <Dialog
        open={isComparing}
        onClose={() => setComparing(false)}
        title={t('editor.conflict.title')}
        width={960}
        footer={choices}
      >
        <div className={styles['compare']}>
          <section>
            <h3>{t('editor.conflict.mine')}</h3>
            <CodeBlock label={t('editor.conflict.mine')} code={store.tab(tabId)?.sql ?? ''} />
          </section>
          <section>
            <h3>{t('editor.conflict.saved')}</h3>
            <CodeBlock label={t('editor.conflict.saved')} code={saved} />
          </section>
        </div>
      </Dialog>
    </Banner>
  )
}
