import { t } from '../../../../i18n/texts.ts'
import { Button, IconButton } from '../../../../ui/index.ts'
import { IconX } from '../../icons.ts'
import { showAllColumns } from './column-view.ts'
import { filterRows } from './row-view.ts'
import type { ResultView } from './use-result-view.ts'
import styles from './view.module.css'

const exact = (count: number): string => count.toLocaleString('en-US')

interface Props {
  readonly view: ResultView
  /** All that there are to look at. */
  readonly rows: number
  /** The statement had more than these. */
  readonly isPart: boolean
  readonly fields: readonly { readonly name: string }[]
}

/** How the rows on the screen differ from those that were answered; nothing when they do not. */
export function ViewStrip({ view, rows, isPart, fields }: Props) {
  const { rowView, columnView, isArranged, elsewhere, grid } = view
  const hidden = columnView.hidden.size
  if (!isArranged && !elsewhere && hidden === 0) return null
  const nameOf = (column: number): string => fields[column]?.name ?? ''
  const { sort, filters } = rowView
  return (
    <div className={styles['strip']} role="status">
      {filters.size > 0 && isArranged && (
        <strong>{t('resultView.strip.shown', { shown: exact(grid.count), all: exact(rows) })}</strong>
      )}
      {sort && (
        <Part
          words={t(sort.descending ? 'resultView.strip.descending' : 'resultView.strip.ascending', {
            name: nameOf(sort.column),
          })}
          undo={t('resultView.strip.unsort')}
          onUndo={() => view.arrangeRows((before) => ({ ...before, sort: null }))}
        />
      )}
      {[...filters].map(([column, written]) => (
        <Part
          key={column}
          words={`${nameOf(column)}: ${written}`}
          undo={t('resultView.strip.unfilter', { name: nameOf(column) })}
          onUndo={() => view.arrangeRows((before) => filterRows(before, column, ''))}
        />
      ))}
      {hidden > 0 && (
        <Part
          words={t('resultView.strip.hidden', { count: hidden })}
          undo={t('resultView.menu.showAll')}
          onUndo={() => view.arrangeColumns(showAllColumns)}
        />
      )}
      <Button size="sm" onClick={view.reset}>
        {t('resultView.strip.reset')}
      </Button>
      {(elsewhere !== null || isPart) && (
        <span>{t(`resultView.strip.${overWhat(view, isPart)}`, { rows: exact(rows) })}</span>
      )}
    </div>
  )
}

/** What was sorted and filtered, when it is not simply all that is on the screen. */
function overWhat({ elsewhere }: ResultView, isPart: boolean) {
  if (elsewhere?.isPending) return 'pending'
  return isPart ? 'overKept' : 'overAll'
}

interface PartProps {
  readonly words: string
  readonly undo: string
  readonly onUndo: () => void
}

function Part({ words, undo, onUndo }: PartProps) {
  return (
    <span className={styles['part']}>
      {words}
      <IconButton label={undo} size="sm" onClick={onUndo}>
        <IconX size={12} aria-hidden />
      </IconButton>
    </span>
  )
}
