import type { ParameterProblem } from '@boathouse/contract/bound-parameters'
import type { Parameter } from '@boathouse/contract/parameters'
import { t } from '../../../i18n/texts.ts'
import { Select, TextField } from '../../../ui/index.ts'
import { SeveralField } from './several-field.tsx'
import { useOptions } from './use-options.ts'
import styles from './parameters.module.css'

interface Props {
  readonly tabId: string
  readonly parameter: Parameter
  readonly problem: ParameterProblem | null
  readonly onChange: (value: string[]) => void
}

/** What is written into a field; a text that is emptied has no value, but for one that was empty before. */
const written = (text: string): string[] => (text === '' ? [] : [text])

/** The field of one parameter, by its kind. */
export function ParameterField(props: Props) {
  const { parameter, problem, onChange } = props
  const { name, kind, value } = parameter
  const error = problem ? t(`parameters.problems.${problem}`) : undefined
  const label = `:${name}`
  if (kind === 'range') return <RangeField {...props} />
  if (kind === 'choice' || kind === 'several') return <ChosenField {...props} />
  return (
    <TextField
      label={label}
      error={error}
      type={kind === 'date' ? 'date' : 'text'}
      inputMode={kind === 'number' ? 'decimal' : undefined}
      autoComplete="off"
      spellCheck={false}
      value={value[0] ?? ''}
      onChange={({ target }) => onChange(written(target.value))}
    />
  )
}

function RangeField({ parameter: { name, value }, problem, onChange }: Props) {
  const [from = '', to = ''] = value
  const error = problem ? t(`parameters.problems.${problem}`) : undefined
  const put = (ends: readonly [string, string]) => onChange(ends.every((end) => end === '') ? [] : [...ends])
  return (
    <div className={styles['range']}>
      <TextField
        type="date"
        label={t('parameters.from', { name })}
        error={error}
        value={from}
        onChange={({ target }) => put([target.value, to])}
      />
      <TextField
        type="date"
        label={t('parameters.to', { name })}
        value={to}
        onChange={({ target }) => put([from, target.value])}
      />
    </div>
  )
}

/** One of a list, or several of it; without a list, several are written. */
function ChosenField({ tabId, parameter, problem, onChange }: Props) {
  const { options, isLoading, failure, ask } = useOptions(tabId, parameter)
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
