import { t } from '../../../../i18n/texts.ts'
import type { Cell } from '../../../../ui/grid/grid-selection.ts'
import { IconButton, Segmented } from '../../../../ui/index.ts'
import { IconX } from '../../icons.ts'
import type { OpenedCell } from '../value/use-whole-text.ts'
import type { ResultView } from '../view/use-result-view.ts'
import { ColumnPanel } from './column-panel.tsx'
import type { SideShown } from './side-shown.ts'
import { ValuePanel } from './value-panel.tsx'
import styles from '../view/view.module.css'

interface Props {
  readonly shown: Exclude<SideShown, 'nothing'>
  readonly queryId: string | null
  readonly view: ResultView
  readonly rows: number
  readonly active: Cell | null
  readonly cell: OpenedCell | null
  readonly isFiltering: boolean
  readonly onFiltering: () => void
  readonly onShow: (shown: SideShown) => void
}

const PANELS = ['value', 'column'] as const

/** Beside the rows, about the cell that the keyboard is in. */
export function ResultSide(props: Props) {
  const { shown, queryId, view, rows, active, cell, isFiltering, onFiltering, onShow } = props
  return (
    <aside className={styles['side']} aria-label={t('resultView.side.label')}>
      <div className={styles['sideHead']}>
        <Segmented
          label={t('resultView.side.label')}
          value={shown}
          segments={PANELS.map((value) => ({ value, label: t(`resultView.side.${value}`) }))}
          onChange={onShow}
        />
        <IconButton label={t('ui.close')} size="sm" onClick={() => onShow('nothing')}>
          <IconX size={14} aria-hidden />
        </IconButton>
      </div>
      <div className={styles['sideBody']}>
        {shown === 'value' ? (
          <ValuePanel key={`${cell?.row} ${cell?.column}`} cell={cell} />
        ) : (
          <ColumnPanel
            queryId={queryId}
            view={view}
            rows={rows}
            column={active?.column ?? 0}
            isFiltering={isFiltering}
            onFiltering={onFiltering}
          />
        )}
      </div>
    </aside>
  )
}
