import { useRef } from 'react'
import type { Ref } from 'react'
import { t } from '../../i18n/texts.ts'
import { isNumber, useKept } from '../../lib/kept.ts'
import type { Asked } from './tabs/query-dialogs.tsx'
import { SavedQueries } from './tabs/saved-queries.tsx'
import { SchemaPanel } from './schema/schema-panel.tsx'
import type { SchemaRow } from './schema/schema-rows.ts'
import { SplitHandle } from '../../ui/split/split-handle.tsx'
import type { TreeHandle } from '../../ui/tree/tree.tsx'
import type { OpenTab } from './tabs/use-open-tab.ts'
import { useSplitHeight } from '../../ui/split/use-split-height.ts'
import styles from './editor-page.module.css'

const HEIGHTS = { share: 0.55, min: 120, minRest: 120 }

interface Props {
  readonly opened: OpenTab
  /** Pixels. */
  readonly width: number
  readonly catalogs: Ref<TreeHandle>
  readonly onInsert: (row: SchemaRow) => void
  readonly onAsk: (asked: Asked) => void
}

/** Beside the tab: what there is to query above, what was written below. */
export function Side({ opened, width, catalogs, onInsert, onAsk }: Props) {
  const area = useRef<HTMLDivElement>(null)
  const [kept, keep] = useKept<number | null>('catalogs-height', null, isNumber)
  const { height, max, setHeight } = useSplitHeight(area, { ...HEIGHTS, kept, onKeep: keep })
  const { tabId } = opened
  return (
    <div ref={area} className={styles['side']} style={{ width }} data-part="side">
      <div className={styles['catalogs']} style={{ height }}>
        <SchemaPanel ref={catalogs} tabId={tabId} onInsert={onInsert} />
      </div>
      <SplitHandle
        label={t('editor.split.catalogs')}
        axis="y"
        value={height}
        min={HEIGHTS.min}
        max={max}
        onChange={setHeight}
      />
      <div className={styles['queries']}>
        <SavedQueries opened={opened} onAsk={onAsk} />
      </div>
    </div>
  )
}
