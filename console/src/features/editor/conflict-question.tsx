import { lazy, Suspense, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { Button, Dialog, Spinner } from '../../ui/index.ts'
import { Banner } from './banners.tsx'
import { useEditorRuntime } from './editor-runtime.ts'
import styles from './editor-page.module.css'

const TextDifference = lazy(async () => ({
  default: (await import('./versions/text-difference.tsx')).TextDifference,
}))

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
        <Suspense fallback={<Spinner label={t('editor.text.loading')} />}>
          <TextDifference
            before={{ label: t('editor.conflict.saved'), text: saved }}
            after={{ label: t('editor.conflict.mine'), text: store.tab(tabId)?.sql ?? '' }}
          />
        </Suspense>
      </Dialog>
    </Banner>
  )
}
