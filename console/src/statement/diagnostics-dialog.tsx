import '../i18n/diagnose.ts'
import { t } from '../i18n/texts.ts'
import { saveJson } from '../lib/save-file.ts'
import { Button, CodeBlock, Dialog, Refusal, Skeleton } from '../ui/index.ts'
import styles from './diagnostics.module.css'

interface Props {
  /** What it is about. */
  readonly name: string
  /** Missing while it is collected. */
  readonly found: { readonly fileName: string; readonly bundle: object } | undefined
  readonly refusal: string | null
  readonly onClose: () => void
}

/** A file for people who help. It is shown before it is downloaded, so that nobody sends what they have not seen. */
export function DiagnosticsDialog({ name, found, refusal, onClose }: Props) {
  const text = found && JSON.stringify(found.bundle, null, 2)
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('diagnose.title', { name })}
      width={720}
      footer={
        <>
          <Button onClick={onClose}>{t('diagnose.close')}</Button>
          <Button
            variant="primary"
            disabled={!found}
            onClick={() => found && text && saveJson(found.fileName, text)}
          >
            {t('diagnose.download')}
          </Button>
        </>
      }
    >
      <p className={styles['intro']}>{t('diagnose.intro')}</p>
      <Refusal text={refusal ?? undefined} />
      {text !== undefined && (
        <div className={styles['content']}>
          <CodeBlock code={text} label={t('diagnose.content')} />
        </div>
      )}
      {text === undefined && refusal === null && (
        <div role="status" aria-label={t('diagnose.loading')}>
          <Skeleton height={320} />
        </div>
      )}
    </Dialog>
  )
}
