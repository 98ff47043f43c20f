import { t } from '../../../../i18n/texts.ts'
import type { MenuEntry } from '../../../../ui/index.ts'
import { hideColumn, moveColumn, showAllColumns, togglePinned } from './column-view.ts'
import type { ResultView } from './use-result-view.ts'

interface Parts {
  readonly view: ResultView
  /** Place among those that are shown. */
  readonly column: number
  readonly onFilter: () => void
  readonly onSummary: () => void
}

/** What can be done with a column. */
export function columnMenu({ view, column, onFilter, onSummary }: Parts): readonly MenuEntry[] {
  const { columns, columnView, rowView } = view
  const id = columns[column]?.id
  if (id === undefined) return []
  const sortBy = (descending: boolean) => () =>
    view.arrangeRows((before) => ({ ...before, sort: { column: id, descending } }))
  const isPinned = columnView.pinned.includes(id)
  const move = (to: number): MenuEntry => {
    const target = columns[to]?.id
    const isPossible = target !== undefined && columnView.pinned.includes(target) === isPinned
    return {
      label: t(to < column ? 'resultView.menu.left' : 'resultView.menu.right'),
      disabled: !isPossible,
      onSelect: () => {
        if (target !== undefined)
          view.arrangeColumns((before, count) => moveColumn(before, { from: id, to: target, count }))
      },
    }
  }
  return [
    { label: t('resultView.menu.ascending'), onSelect: sortBy(false) },
    { label: t('resultView.menu.descending'), onSelect: sortBy(true) },
    ...(rowView.sort?.column === id
      ? [
          {
            label: t('resultView.strip.unsort'),
            onSelect: () => view.arrangeRows((before) => ({ ...before, sort: null })),
          },
        ]
      : []),
    { kind: 'divider' },
    { label: t('resultView.menu.filter'), onSelect: onFilter },
    { label: t('resultView.menu.summary'), onSelect: onSummary },
    { kind: 'divider' },
    {
      label: t(isPinned ? 'resultView.menu.unpin' : 'resultView.menu.pin'),
      onSelect: () => view.arrangeColumns((before) => togglePinned(before, id)),
    },
    move(column - 1),
    move(column + 1),
    {
      label: t('resultView.menu.hide'),
      disabled: columns.length < 2,
      onSelect: () => view.arrangeColumns((before, count) => hideColumn(before, id, count)),
    },
    ...(columnView.hidden.size > 0
      ? [{ label: t('resultView.menu.showAll'), onSelect: () => view.arrangeColumns(showAllColumns) }]
      : []),
  ]
}
