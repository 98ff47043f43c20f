import styles from './checkboxes.module.css'
import fieldStyles from './field.module.css'

interface CheckboxProps {
  readonly label: string
  /** In a table or a row of fields, whose header names it: the label is heard and not seen. */
  readonly hideLabel?: boolean
  /** What is seen, where that is shorter than what is heard. */
  readonly text?: string
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
}

/** The platform's own checkbox, in our look. */
export const Checkbox = ({ label, hideLabel = false, text, checked, onChange }: CheckboxProps) => (
  <label className={styles['check']}>
    <input
      type="checkbox"
      aria-label={hideLabel || text ? label : undefined}
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
    {!hideLabel && (text ?? label)}
  </label>
)

interface Props<V extends string> {
  readonly label: string
  readonly options: readonly V[]
  readonly value: readonly V[]
  readonly onChange: (value: V[]) => void
  readonly error?: string | undefined
}

/** Any of a few; the chosen ones stay in the order of the options. */
export function Checkboxes<V extends string>({ label, options, value, onChange, error }: Props<V>) {
  const toggle = (option: V, isChosen: boolean) =>
    onChange(options.filter((one) => (one === option ? isChosen : value.includes(one))))
  return (
    <fieldset className={styles['group']}>
      <legend>{label}</legend>
      {options.map((option) => (
        <Checkbox
          key={option}
          label={option}
          checked={value.includes(option)}
          onChange={(isChosen) => toggle(option, isChosen)}
        />
      ))}
      {error && (
        <p className={fieldStyles['error']} style={{ flexBasis: '100%' }} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}
