import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { t } from '../../../../i18n/texts.ts'
import type { Cell } from '../../../../ui/grid/grid-selection.ts'
import { IconButton } from '../../../../ui/index.ts'
import { IconChevronDown, IconChevronUp, IconX } from '../../icons.ts'
import type { ResultView } from '../view/use-result-view.ts'
import { findCells, MOST_FOUND, nextFound } from './find-cells.ts'
import type { FoundCells } from './find-cells.ts'
import styles from '../view/view.module.css'

interface Props {
  readonly view: ResultView
  /** Rows that are here, from the first on. */
  readonly rows: number
  readonly active: Cell | null
  readonly onFound: (found: FoundCells) => void
  readonly onGoTo: (cell: Cell) => void
  readonly onClose: () => void
}

/** Over the rows that are here: Enter and Shift with Enter step through what is found, Escape goes back to the rows. */
export function SearchBar({ view, rows, active, onFound, onGoTo, onClose }: Props) {
  const [text, setText] = useState('')
  const wanted = useDeferredValue(text)
  const input = useRef<HTMLInputElement>(null)
  const { grid } = view
  const found = useMemo(() => findCells({ grid, rows, text: wanted }), [grid, rows, wanted])
  useEffect(() => input.current?.focus(), [])
  useEffect(() => onFound(found), [onFound, found])

  const step = (direction: 1 | -1) => {
    // What is marked may lag behind what is typed; a step does not.
    const { list } = wanted === text ? found : findCells({ grid, rows, text })
    const cell = list[nextFound(list, active, direction)]
    if (cell) onGoTo(cell)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') step(event.shiftKey ? -1 : 1)
    else if (event.key === 'Escape') onClose()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <search className={styles['search']}>
      <input
        ref={input}
        className={styles['searchInput']}
        aria-label={t('resultView.search.label')}
        placeholder={t('resultView.search.label')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={press}
      />
      <span role="status" className={styles['searchCount']}>
        {wanted !== '' && countOf(found, active)}
      </span>
      <IconButton label={t('resultView.search.previous')} size="sm" onClick={() => step(-1)}>
        <IconChevronUp size={14} aria-hidden />
      </IconButton>
      <IconButton label={t('resultView.search.next')} size="sm" onClick={() => step(1)}>
        <IconChevronDown size={14} aria-hidden />
      </IconButton>
      <IconButton label={t('ui.close')} size="sm" onClick={onClose}>
        <IconX size={14} aria-hidden />
      </IconButton>
    </search>
  )
}

function countOf({ list }: FoundCells, active: Cell | null): string {
  if (list.length === 0) return t('resultView.search.none')
  const at = list.findIndex(({ row, column }) => row === active?.row && column === active.column)
  const all = list.length.toLocaleString('en-US')
  const count = list.length >= MOST_FOUND ? t('resultView.search.moreThan', { all }) : all
  return at === -1 ? count : t('resultView.search.of', { at: (at + 1).toLocaleString('en-US'), all: count })
}
