import styles from './checkboxes.module.css'

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
        <label key={option} className={styles['check']}>
          <input
            type="checkbox"
            checked={value.includes(option)}
            onChange={(event) => toggle(option, event.currentTarget.checked)}
          />
          {option}
        </label>
      ))}
      {error && (
        <p className={styles['error']} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}
