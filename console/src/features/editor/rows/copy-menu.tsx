import { t } from '../../../i18n/texts.ts'
import { Button, Menu } from '../../../ui/index.ts'
import type { CellRange } from '../../../ui/grid/grid-selection.ts'
import { IconCopy } from '../icons.ts'
import { COPY_FORMATS } from './copy-formats.ts'
import { useCopyRange } from './use-copy-range.ts'
import type { ResultView } from './view/use-result-view.ts'

interface Props {
  readonly view: ResultView
  /** Null: nothing is. */
  readonly selected: CellRange | null
}

/** What is selected, or else the rows that came with the answer, with the names of the columns. */
export function CopyMenu({ view, selected }: Props) {
  const copyRange = useCopyRange(view)
  const all: CellRange = {
    top: 0,
    bottom: view.rowsHere - 1,
    left: 0,
    right: view.columns.length - 1,
  }
  const range = selected ?? all
  const count = range.bottom - range.top + 1
  return (
    <Menu
      label={t('editor.copy.menu')}
      width={230}
      entries={[
        {
          kind: 'heading',
          label: t(selected ? 'editor.copy.selected' : 'editor.copy.first', {
            count,
            shown: count.toLocaleString('en-US'),
          }),
        },
        ...COPY_FORMATS.map((format) => ({
          label: t(`editor.copy.formats.${format}`),
          onSelect: () => void copyRange(format, range),
        })),
      ]}
      trigger={
        <Button size="sm" leftIcon={<IconCopy size={14} aria-hidden />}>
          {t('editor.result.copyRows')}
        </Button>
      }
    />
  )
}
