import type { ParameterProblem } from '@boathouse/contract/bound-parameters'
import type { Parameter } from '@boathouse/contract/parameters'
import type { ChangeEvent } from 'react'
import '../../i18n/parameters.ts'
import { t } from '../../i18n/texts.ts'
import { DateField, Select, TextField } from '../../ui/index.ts'
import { SeveralField } from './several-field.tsx'
import styles from './parameters.module.css'

/** What can be chosen, and what asks for it. */
interface Choices {
  readonly options: readonly string[]
  readonly isLoading: boolean
  readonly failure: string | null
  readonly ask: () => void
}

export interface ParameterFieldProps {
  readonly choices: Choices
  readonly parameter: Parameter
  readonly problem: ParameterProblem | null
  readonly onChange: (value: string[]) => void
  readonly onLeft: () => void
}

/** A field that is empty has no value. */
const written = (text: string): string[] => (text === '' ? [] : [text])

/** The field of one parameter, by its kind. */
export function ParameterField(props: ParameterFieldProps) {
  const { parameter, problem, onChange, onLeft } = props
  const { name, kind, value } = parameter
  const error = problem ? t(`parameters.problems.${problem}`) : undefined
  const label = `:${name}`
  if (kind === 'range') return <RangeField {...props} />
  if (kind === 'choice' || kind === 'several') return <ChosenField {...props} />
  const field = {
    label,
    error,
    value: value[0] ?? '',
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => onChange(written(target.value)),
    onLeft,
  }
  if (kind === 'date') return <DateField {...field} />
  const inputMode = kind === 'number' ? 'decimal' : undefined
  return <TextField {...field} inputMode={inputMode} autoComplete="off" spellCheck={false} />
}

function RangeField({ parameter: { name, value }, problem, onChange, onLeft }: ParameterFieldProps) {
  const [from = '', to = ''] = value
  const error = problem ? t(`parameters.problems.${problem}`) : undefined
  const put = (ends: readonly [string, string]) => onChange(ends.every((end) => end === '') ? [] : [...ends])
  return (
    <div className={styles['range']}>
      <DateField
        label={t('parameters.from', { name })}
        error={error}
        onLeft={onLeft}
        value={from}
        onChange={({ target }) => put([target.value, to])}
      />
      <DateField
        label={t('parameters.to', { name })}
        onLeft={onLeft}
        value={to}
        onChange={({ target }) => put([from, target.value])}
      />
    </div>
  )
}

/** One of a list, or several of it; without a list, several are written. */
function ChosenField({ choices: found, parameter, problem, onChange, onLeft }: ParameterFieldProps) {
  const { options, isLoading, failure, ask } = found
  const { name, kind, value } = parameter
  const error = problem ? t(`parameters.problems.${problem}`) : (failure ?? undefined)
  const choices = options.map((option) => ({ value: option, label: option }))
  return (
    <div onFocus={ask}>
      {kind === 'several' ? (
        <SeveralField
          label={`:${name}`}
          error={error}
          value={value}
          choices={parameter.options.length > 0 || parameter.optionsSql !== '' ? choices : null}
          isLoading={isLoading}
          onChange={onChange}
          onLeft={onLeft}
        />
      ) : (
        <Select
          label={`:${name}`}
          error={error}
          searchable
          options={choices}
          isSearching={isLoading}
          value={value[0] ?? null}
          placeholder={t('parameters.choose')}
          onChange={(option) => onChange([option])}
        />
      )}
    </div>
  )
}
