import { query } from '@boathouse/contract/query'
import type { Field } from '@boathouse/contract/realtime'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useCall } from '../../../lib/api.ts'
import { Button, Dialog, Spinner, useCopy } from '../../../ui/index.ts'
import { IconCopy } from '../icons.ts'
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
      {last && <Facts cell={last} text={text} />}
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

const isElsewhere = ({ length, isKept }: OpenedCell): boolean => length !== undefined && isKept

/** What is here, or else what is kept, as far as one answer carries it; undefined while it is not loaded. */
function useWholeText(cell: OpenedCell | null, isOpen: boolean) {
  const { queryId = '', row = 0, column = 0 } = cell ?? {}
  const isNeeded = cell !== null && isElsewhere(cell)
  const options = { enabled: isOpen && isNeeded, staleTime: Infinity, silent: true }
  const whole = useCall(query.resultCell, { queryId, row, column }, options)
  const text = isNeeded ? whole.data?.text : cell?.value
  const isPart = isNeeded && (whole.data?.length ?? 0) > (text?.length ?? 0)
  return { whole, text, isPart }
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

function Facts({ cell, text }: { cell: OpenedCell; text: string | null | undefined }) {
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

const isLaidOut = ({ family, type }: Field): boolean => family === 'nested' || type === 'JSON'

interface ValueProps {
  readonly cell: OpenedCell
  readonly text: string | null
  /** There is more of it, and not here. */
  readonly isPart: boolean
}

function ValueText({ cell, text, isPart }: ValueProps) {
  const { field } = cell
  if (text === null)
    return (
      <Block label={field.name}>
        <em>{t('grid.null')}</em>
      </Block>
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
      <Block label={field.name}>
        {isLaidOut(field) && !isCut && !isPart && !isTooLong ? layOutNested(shown) : shown}
      </Block>
    </>
  )
}

function Block({ label, children }: { label: string; children: ReactNode }) {
  const words = t('editor.cell.value', { column: label })
  return (
    // It scrolls, so the keyboard must be able to reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre className={styles['value']} tabIndex={0} role="region" aria-label={words}>
      {children}
    </pre>
  )
}
