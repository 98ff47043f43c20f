import type { Inspection, LoadColumn, SpoiledType } from '@boathouse/contract/load'
import { t } from '../../i18n/texts.ts'
import { Button } from '../../ui/index.ts'
import styles from './load.module.css'

interface Props {
  readonly inspection: Inspection
  readonly columns: readonly LoadColumn[]
  readonly onNarrow: (at: number, spoiled: SpoiledType) => void
}

/** Columns that are texts because of a few values: which these are, and the type of all others. */
export function SpoiledColumns({ inspection, columns, onNarrow }: Props) {
  const shown = inspection.spoiled.flatMap((spoiled) => {
    const at = columns.findIndex(({ name }) => name === spoiled.column)
    const column = columns[at]
    // A type that was chosen is not asked for again.
    const isOpen = column && column.into !== null && column.type === inspection.columns[at]?.type
    return isOpen ? [{ at, spoiled }] : []
  })
  if (shown.length === 0) return null
  return (
    <ul className={styles['spoiled']}>
      {shown.map(({ at, spoiled }) => (
        <li key={spoiled.column}>
          <Spoiled spoiled={spoiled} onNarrow={() => onNarrow(at, spoiled)} />
        </li>
      ))}
    </ul>
  )
}

function Spoiled({ spoiled, onNarrow }: { spoiled: SpoiledType; onNarrow: () => void }) {
  const { column, type, values, misfits, rows } = spoiled
  const more = misfits - rows.length
  return (
    <>
      <p>
        {t('load.columns.spoiled', { count: misfits, values: values.toLocaleString('en'), column, type })}
      </p>
      <ul>
        {rows.map(({ line, reason }) => (
          <li key={line}>{t('load.columns.spoiledRow', { line: line ?? '', reason })}</li>
        ))}
        {more > 0 && <li>{t('load.columns.spoiledMore', { count: more })}</li>}
      </ul>
      <Button size="sm" aria-label={t('load.columns.narrowOf', { type, column })} onClick={onNarrow}>
        {t('load.columns.narrow', { type })}
      </Button>
    </>
  )
}
