import { useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { Button, Dialog, Spinner, useCopy } from '../../../ui/index.ts'
import { IconCopy } from '../icons.ts'
import { useWholeText } from './value/use-whole-text.ts'
import type { OpenedCell } from './value/use-whole-text.ts'
import { ValueFacts, ValueText } from './value/value-text.tsx'
import styles from './value/value.module.css'

interface Props {
  readonly cell: OpenedCell | null
  readonly onClose: () => void
}

/** A whole value: read, laid out where it is nested, and copied to the character. */
export function CellViewer({ cell, onClose }: Props) {
  // While the dialog fades out, it still shows what it showed.
  const [last, setLast] = useState(cell)
  if (cell && cell !== last) setLast(cell)
  const { text, isPart, whole } = useWholeText(last, cell !== null)
  // Rendered while it is closed, too: from then on it knows where the focus came from.
  return (
    <Dialog
      open={cell !== null}
      onClose={onClose}
      title={last?.field.name || t('editor.cell.title')}
      width={760}
      footer={<Actions text={text} onRetry={whole.isError ? () => void whole.refetch() : null} />}
    >
      {last && <ValueFacts cell={last} text={text} />}
      {last && text !== undefined && <ValueText cell={last} text={text} isPart={isPart} />}
      {text === undefined && !whole.isError && <Spinner label={t('editor.cell.loading')} />}
      {whole.isError && (
        <p role="alert" className={styles['failed']}>
          {whole.error.message}
        </p>
      )}
    </Dialog>
  )
}

interface ActionsProps {
  readonly text: string | null | undefined
  readonly onRetry: (() => void) | null
}

function Actions({ text, onRetry }: ActionsProps) {
  const copy = useCopy()
  return (
    <>
      {onRetry && <Button onClick={onRetry}>{t('ui.retry')}</Button>}
      {typeof text === 'string' && (
        <Button variant="primary" leftIcon={<IconCopy size={14} aria-hidden />} onClick={() => copy(text)}>
          {t('ui.copy')}
        </Button>
      )}
    </>
  )
}
