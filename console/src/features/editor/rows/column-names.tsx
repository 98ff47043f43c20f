import { t } from '../../../i18n/texts.ts'
import { Select } from '../../../ui/index.ts'

export const REMOVED = ' '

export const optionOf = (name: string) => ({ value: name, label: name })
export const removal = () => ({ value: REMOVED, label: t('resultView.columns.remove') })

interface Props {
  readonly label: (number: number) => string
  readonly add: string
  readonly most: number
  readonly names: readonly string[]
  /** Those that can be chosen beside them. */
  readonly free: readonly { readonly name: string }[]
  readonly onChange: (names: string[]) => void
}

/** Some columns, chosen one after the other. */
export function ColumnNames({ label, add, most, names, free, onChange }: Props) {
  const others = free.map(({ name }) => optionOf(name))
  return (
    <>
      {names.map((name, at) => (
        <Select
          key={at}
          label={label(at + 1)}
          searchable
          options={[removal(), optionOf(name), ...others]}
          value={name}
          onChange={(next) =>
            onChange(next === REMOVED ? names.filter((_, own) => own !== at) : names.with(at, next))
          }
        />
      ))}
      {names.length < most && others.length > 0 && (
        <Select
          key={`add ${names.length}`}
          label={add}
          searchable
          placeholder={t('resultView.columns.choose')}
          options={others}
          value={null}
          onChange={(name) => onChange([...names, name])}
        />
      )}
    </>
  )
}
