import { parameterProblem } from '@boathouse/contract/bound-parameters'
import type { FilterValues } from '@boathouse/contract/dashboard'
import type { Parameter } from '@boathouse/contract/parameters'
import { type FormEvent, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { ParameterField } from '../../statement/parameters/parameter-field.tsx'
import { Button } from '../../ui/index.ts'
import styles from './dashboard.module.css'

interface Props {
  readonly parameters: readonly Parameter[]
  readonly values: FilterValues
  readonly onApply: (values: FilterValues) => void
}

export const choicesOf = ({ options }: Parameter) => ({
  options,
  isLoading: false,
  failure: null,
  ask: () => undefined,
})

/** Values for all tiles that name them. Tiles run when they are applied, and not with every key. */
export function Filters({ parameters, values, onApply }: Props) {
  const [draft, setDraft] = useState(values)
  const [isSent, setSent] = useState(false)
  const shown = parameters.map((one) => ({ ...one, value: draft[one.name] ?? one.value }))
  const apply = (event: FormEvent) => {
    event.preventDefault()
    setSent(true)
    if (shown.every((one) => parameterProblem(one) === null)) onApply(draft)
  }
  const reset = () => {
    setDraft({})
    onApply({})
  }
  return (
    <form
      className={styles['filters']}
      aria-label={t('dashboards.filters.label')}
      onSubmit={apply}
      noValidate
    >
      {shown.map((parameter) => (
        <div key={parameter.name} className={styles['filter']}>
          <ParameterField
            parameter={parameter}
            choices={choicesOf(parameter)}
            problem={isSent ? parameterProblem(parameter) : null}
            onLeft={() => undefined}
            onChange={(value) => setDraft({ ...draft, [parameter.name]: value })}
          />
        </div>
      ))}
      <div className={styles['buttons']}>
        <Button type="submit">{t('dashboards.filters.apply')}</Button>
        {Object.keys(values).length > 0 && <Button onClick={reset}>{t('dashboards.filters.reset')}</Button>}
      </div>
    </form>
  )
}
