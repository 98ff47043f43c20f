import type { DecimalCommas as Found, Reading } from '@boathouse/contract/load'
import { t } from '../../i18n/texts.ts'
import { Button } from '../../ui/index.ts'
import styles from './load.module.css'
import { withDecimalComma } from './written-values.ts'

interface Props {
  readonly found: readonly Found[]
  readonly reading: Reading
  readonly onChoose: (reading: Reading) => void
}

/** Columns that are texts because their numbers have a decimal comma, with a row that shows it. */
export function DecimalCommas({ found, reading, onChoose }: Props) {
  // How values are written has been said.
  if (found.length === 0 || reading.written !== null) return null
  const thousands = found.find((one) => one.thousands !== null)?.thousands ?? null
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
      <Button onClick={() => onChoose(withDecimalComma(reading, thousands))}>
        {t('load.columns.readCommas')}
      </Button>
    </div>
  )
}
