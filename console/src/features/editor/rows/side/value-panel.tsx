import { t } from '../../../../i18n/texts.ts'
import { Button, EmptyState, Spinner, useCopy } from '../../../../ui/index.ts'
import { IconCopy } from '../../icons.ts'
import { useWholeText } from '../value/use-whole-text.ts'
import type { OpenedCell } from '../value/use-whole-text.ts'
import { ValueFacts, ValueText } from '../value/value-text.tsx'
import styles from '../view/view.module.css'

/** The value of the cell that the keyboard is in; undefined while it is not here. */
export function ValuePanel({ cell }: { cell: OpenedCell | null }) {
  const copy = useCopy()
  const { text, isPart, whole } = useWholeText(cell, cell !== null)
  if (!cell)
    return <EmptyState title={t('resultView.value.none')}>{t('resultView.value.noneBody')}</EmptyState>
  return (
    <>
      <h3>{cell.field.name}</h3>
      <ValueFacts cell={cell} text={text} />
      {text !== undefined && <ValueText cell={cell} text={text} isPart={isPart} firstLook="tree" />}
      {text === undefined && !whole.isError && <Spinner label={t('editor.cell.loading')} />}
      {whole.isError && <p role="alert">{whole.error.message}</p>}
      {typeof text === 'string' && (
        <div className={styles['actions']}>
          <Button size="sm" leftIcon={<IconCopy size={14} aria-hidden />} onClick={() => copy(text)}>
            {t('ui.copy')}
          </Button>
        </div>
      )}
    </>
  )
}
