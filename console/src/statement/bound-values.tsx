import { boundText } from '@boathouse/contract/bound-parameters'
import type { BoundValues } from '@boathouse/contract/parameters'
import '../i18n/statement.ts'
import { t } from '../i18n/texts.ts'
import styles from './bound-values.module.css'

/** Of one value, what fits into a line. */
const SHOWN_LENGTH = 200

/** What was bound to the parameters of a statement. */
export function BoundValuesText({ values }: { values: BoundValues }) {
  return (
    <dl className={styles['values']} aria-label={t('statement.values')}>
      {Object.entries(values).map(([name, value]) => (
        <div key={name}>
          <dt>:{name}</dt>
          <dd title={boundText(value)}>{boundText(value).slice(0, SHOWN_LENGTH)}</dd>
        </div>
      ))}
    </dl>
  )
}
