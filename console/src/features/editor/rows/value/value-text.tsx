import { t } from '../../../../i18n/texts.ts'
import { LONGEST_SHOWN } from './use-whole-text.ts'
import type { OpenedCell } from './use-whole-text.ts'
import { ValueBlock, ValueBody } from './value-body.tsx'
import styles from './value.module.css'

interface Props {
  readonly cell: OpenedCell
  readonly text: string | null
  /** There is more of it, and not here. */
  readonly isPart: boolean
  readonly firstLook?: 'text' | 'tree'
}

/** A value as far as it is here, with what must be known when that is not all. */
export function ValueText({ cell, text, isPart, firstLook }: Props) {
  const { field } = cell
  if (text === null)
    return (
      <ValueBlock label={field.name}>
        <em>{t('grid.null')}</em>
      </ValueBlock>
    )
  // The rest is not kept anywhere.
  const isCut = cell.length !== undefined && !cell.isKept
  const isTooLong = text.length > LONGEST_SHOWN
  const shown = text.slice(0, LONGEST_SHOWN)
  const characters = shown.length.toLocaleString('en-US')
  const copied = text.length.toLocaleString('en-US')
  return (
    <>
      {isCut && <p className={styles['note']}>{t('editor.cell.cut', { characters })}</p>}
      {isPart && <p className={styles['note']}>{t('editor.cell.part', { characters, copied })}</p>}
      {isTooLong && !isPart && <p className={styles['note']}>{t('editor.cell.tooLong', { characters })}</p>}
      <ValueBody
        field={field}
        text={shown}
        isPart={isCut || isPart || isTooLong}
        {...(firstLook ? { firstLook } : {})}
      />
    </>
  )
}

export function ValueFacts({ cell, text }: { cell: OpenedCell; text: string | null | undefined }) {
  const count = cell.length ?? text?.length
  return (
    <p className={styles['facts']}>
      <span>{cell.field.type}</span>
      <span>{t('editor.cell.row', { row: (cell.row + 1).toLocaleString('en-US') })}</span>
      {count !== undefined && (
        <span>{t('grid.length', { count, characters: count.toLocaleString('en-US') })}</span>
      )}
    </p>
  )
}
