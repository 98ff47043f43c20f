import { query } from '@boathouse/contract'
import type { Field } from '@boathouse/contract'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../lib/api.ts'
import { Button, Dialog, Spinner, useCopy } from '../../ui/index.ts'
import { IconCopy } from './icons.ts'
import { layOutNested } from './nested-layout.ts'
import styles from './cell-viewer.module.css'

/** More would only be slow to lay out; what is copied is the whole. */
const LONGEST_SHOWN = 200_000

/** One value of a result, as far as it is here. */
export interface OpenedCell {
  readonly queryId: string
  readonly isKept: boolean
  /** Counted from 0. */
  readonly row: number
  readonly column: number
  readonly field: Field
  readonly value: string | null
  /** True length in characters; undefined when all of it is here. */
  readonly length: number | undefined
}

interface Props {
  readonly cell: OpenedCell | null
  readonly onClose: () => void
}

/** A whole value: read, laid out where it is nested, and copied to the character. */
export function CellViewer({ cell, onClose }: Props) {
  // While the dialog fades out, it still shows what it showed.
  const [last, setLast] = useState(cell)
  if (cell && cell !== last) setLast(cell)
  const shown = cell ?? last
  if (!shown) return null
  return <Viewer cell={shown} isOpen={cell !== null} onClose={onClose} />
}

function Viewer({ cell, isOpen, onClose }: { cell: OpenedCell; isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const copy = useCopy()
  const { queryId, row, column, field } = cell
  const isCut = cell.length !== undefined
  const whole = useCall(
    query.resultCell,
    { queryId, row, column },
    { enabled: isOpen && isCut && cell.isKept, staleTime: Infinity, silent: true },
  )
  const text = isCut && cell.isKept ? whole.data?.text : cell.value
  const isHere = text !== undefined
  const footer = (
    <>
      {whole.isError && <Button onClick={() => void whole.refetch()}>{t('ui.retry')}</Button>}
      {isHere && text !== null && (
        <Button variant="primary" leftIcon={<IconCopy size={14} aria-hidden />} onClick={() => copy(text)}>
          {t('ui.copy')}
        </Button>
      )}
    </>
  )
  const failure = whole.error?.message
  return (
    <Dialog
      open={isOpen}
      onClose={onClose}
      title={field.name || t('editor.cell.title')}
      width={760}
      footer={footer}
    >
      <p className={styles['facts']}>
        <span>{field.type}</span>
        <span>{t('editor.cell.row', { row: (row + 1).toLocaleString('en-US') })}</span>
        <Length cell={cell} text={text} />
      </p>
      {isHere && <ValueText text={text} field={field} isCut={isCut && !cell.isKept} />}
      {!isHere && !failure && <Spinner label={t('editor.cell.loading')} />}
      {failure && (
        <p role="alert" className={styles['failed']}>
          {failure}
        </p>
      )}
    </Dialog>
  )
}

function Length({ cell, text }: { cell: OpenedCell; text: string | null | undefined }) {
  const { t } = useTranslation()
  const count = cell.length ?? text?.length
  if (count === undefined) return null
  return <span>{t('editor.grid.length', { count, characters: count.toLocaleString('en-US') })}</span>
}

interface TextProps {
  readonly text: string | null
  readonly field: Field
  /** The rest is not kept anywhere. */
  readonly isCut: boolean
}

const isLaidOut = ({ family, type }: Field): boolean => family === 'nested' || type === 'JSON'

function ValueText({ text, field, isCut }: TextProps) {
  const { t } = useTranslation()
  if (text === null) return <Block label={field.name}>{<em>{t('editor.grid.null')}</em>}</Block>
  const isTooLong = text.length > LONGEST_SHOWN
  const shown = isTooLong ? text.slice(0, LONGEST_SHOWN) : text
  const characters = shown.length.toLocaleString('en-US')
  return (
    <>
      {isCut && <p className={styles['note']}>{t('editor.cell.cut', { characters })}</p>}
      {isTooLong && <p className={styles['note']}>{t('editor.cell.tooLong', { characters })}</p>}
      <Block label={field.name}>
        {isLaidOut(field) && !isCut && !isTooLong ? layOutNested(shown) : shown}
      </Block>
    </>
  )
}

function Block({ label, children }: { label: string; children: ReactNode }) {
  const { t } = useTranslation()
  const words = t('editor.cell.value', { column: label })
  return (
    // It scrolls, so the keyboard must be able to reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre className={styles['value']} tabIndex={0} role="region" aria-label={words}>
      {children}
    </pre>
  )
}
