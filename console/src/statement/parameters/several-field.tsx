import { type ClipboardEvent, type KeyboardEvent, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { Chips, Select, TextField } from '../../ui/index.ts'
import styles from './parameters.module.css'

interface Props {
  readonly label: string
  readonly error: string | undefined
  readonly value: readonly string[]
  /** Null: anything can be written. */
  readonly choices: readonly { readonly value: string; readonly label: string }[] | null
  readonly isLoading: boolean
  readonly onChange: (value: string[]) => void
  readonly onLeft: () => void
}

/** As a spreadsheet or a list in a text has them. */
const linesOf = (text: string): string[] =>
  text
    .split(/[\t\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Several values, each once. */
export function SeveralField({ label, error, value, choices, isLoading, onChange, onLeft }: Props) {
  const [text, setText] = useState('')
  const add = (more: readonly string[]) => {
    setText('')
    if (more.length > 0) onChange([...new Set([...value, ...more])])
  }
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || text === '') return
    event.preventDefault()
    add(linesOf(text))
  }
  const pasted = (event: ClipboardEvent) => {
    const lines = linesOf(event.clipboardData.getData('text/plain'))
    if (lines.length < 2) return
    event.preventDefault()
    add(lines)
  }
  return (
    <div className={styles['several']}>
      {choices ? (
        <Select
          label={label}
          error={error}
          searchable
          options={choices.filter((choice) => !value.includes(choice.value))}
          isSearching={isLoading}
          value={null}
          placeholder={t('parameters.addChoice')}
          onChange={(option) => add([option])}
        />
      ) : (
        <TextField
          label={label}
          error={error}
          autoComplete="off"
          spellCheck={false}
          placeholder={t('parameters.add')}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={pressed}
          onPaste={pasted}
          onBlur={() => add(linesOf(text))}
          onLeft={onLeft}
        />
      )}
      <Chips
        label={t('parameters.values', { name: label })}
        chips={value.map((one) => ({
          id: one,
          content: one,
          remove: {
            label: t('parameters.remove', { value: one }),
            onClick: () => onChange(value.filter((other) => other !== one)),
          },
        }))}
      />
    </div>
  )
}
