import type { DecimalCommas as Found, WrittenValues } from '@boathouse/contract/load'
import { t } from '../../i18n/texts.ts'
import { Button } from '../../ui/index.ts'
import styles from './load.module.css'

interface Props {
  readonly found: readonly Found[]
  /** How values are written has been said. */
  readonly isChosen: boolean
  readonly onChoose: (thousands: WrittenValues['thousands']) => void
}

/** Columns that are texts because their numbers have a decimal comma, with a row that shows it. */
export function DecimalCommas({ found, isChosen, onChoose }: Props) {
  if (found.length === 0 || isChosen) return null
  const grouped = found.find(({ thousands }) => thousands !== null)
  return (
    <div className={styles['spoiled']}>
      {found.map(({ column, values, fits, rows: [first] }) => (
        <p key={column}>
          {t('load.columns.commas', {
            column,
            fits: fits.toLocaleString('en'),
            values: values.toLocaleString('en'),
            line: first?.line ?? '',
            text: first?.text ?? '',
          })}
        </p>
      ))}
      <Button onClick={() => onChoose(grouped?.thousands ?? null)}>{t('load.columns.readCommas')}</Button>
    </div>
  )
}
