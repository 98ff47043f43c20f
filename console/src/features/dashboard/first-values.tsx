import type { Parameter } from '@boathouse/contract/parameters'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { ParameterField } from '../../statement/parameters/parameter-field.tsx'
import { IconButton } from '../../ui/index.ts'
import { IconPencil } from '../../ui/icons.ts'
import { FilterDialog } from './filter-dialog.tsx'
import { choicesOf } from './filters.tsx'
import styles from './dashboard.module.css'

interface Props {
  readonly parameters: readonly Parameter[]
  readonly onChange: (parameter: Parameter) => void
}

/** The filters as everyone sees them first, and what each takes. */
export function FirstValues({ parameters, onChange }: Props) {
  const [open, setOpen] = useState<Parameter | null>(null)
  return (
    <section aria-label={t('dashboards.filters.label')}>
      <p className={styles['note']}>{t('dashboards.edit.firstValues')}</p>
      <div className={styles['filters']}>
        {parameters.map((parameter) => (
          <div key={parameter.name} className={styles['filter']}>
            <ParameterField
              parameter={parameter}
              choices={choicesOf(parameter)}
              problem={null}
              onLeft={() => undefined}
              onChange={(value) => onChange({ ...parameter, value })}
            />
            {parameter.kind !== 'range' && (
              <IconButton
                size="sm"
                label={t('dashboards.edit.filter', { name: parameter.name })}
                onClick={() => setOpen(parameter)}
              >
                <IconPencil size={16} aria-hidden />
              </IconButton>
            )}
          </div>
        ))}
      </div>
      {open && <FilterDialog parameter={open} onSave={onChange} onClose={() => setOpen(null)} />}
    </section>
  )
}
