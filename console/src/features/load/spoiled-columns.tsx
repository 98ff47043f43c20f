import type { Inspection, LoadColumn, SpoiledType } from '@boathouse/contract/load'
import { t } from '../../i18n/texts.ts'
import { Select } from '../../ui/index.ts'
import styles from './load.module.css'

/** What becomes of values that keep a column from having a type. */
export type SpoiledChoice = 'text' | 'null' | 'reject'

interface Props {
  readonly inspection: Inspection
  readonly columns: readonly LoadColumn[]
  readonly onChoose: (at: number, spoiled: SpoiledType, choice: SpoiledChoice) => void
}

const choiceOf = ({ type, misfits }: LoadColumn, spoiled: SpoiledType): SpoiledChoice =>
  type === spoiled.type ? misfits : 'text'

/** Columns that are texts because of a few values: which these are, and what becomes of them. */
export function SpoiledColumns({ inspection, columns, onChoose }: Props) {
  const shown = inspection.spoiled.flatMap((spoiled) => {
    const at = columns.findIndex(({ name }) => name === spoiled.column)
    const column = columns[at]
    // One that was chosen by its user is theirs.
    const isOpen = column?.into != null && [inspection.columns[at]?.type, spoiled.type].includes(column.type)
    return isOpen ? [{ at, spoiled, choice: choiceOf(column, spoiled) }] : []
  })
  if (shown.length === 0) return null
  return (
    <ul className={styles['spoiled']}>
      {shown.map(({ at, spoiled, choice }) => (
        <li key={spoiled.column}>
          <Spoiled spoiled={spoiled} choice={choice} onChoose={(next) => onChoose(at, spoiled, next)} />
        </li>
      ))}
    </ul>
  )
}

interface SpoiledProps {
  readonly spoiled: SpoiledType
  readonly choice: SpoiledChoice
  readonly onChoose: (choice: SpoiledChoice) => void
}

function Spoiled({ spoiled, choice, onChoose }: SpoiledProps) {
  const { column, type, values, misfits, rows } = spoiled
  const more = misfits - rows.length
  const options = (['text', 'null', 'reject'] as const).map((value) => ({
    value,
    label: t(`load.columns.spoiledAs.${value}`, { type }),
  }))
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
      <Select
        label={t('load.columns.spoiledChoice', { column })}
        hideLabel
        width="min(330px, 100%)"
        options={options}
        value={choice}
        onChange={(chosen) => onChoose(chosen as SpoiledChoice)}
      />
    </>
  )
}
