import { TIME_PATTERN, type WrittenValues } from '@boathouse/contract/load'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { NameField, Select, useProblems } from '../../ui/index.ts'
import { withWritten, writtenOf } from './written-values.ts'

interface Props {
  /** Null: detected. */
  readonly written: WrittenValues | null
  readonly onChange: (written: WrittenValues | null) => void
}

const AUTO = 'auto'
const OWN = 'own'

const dates = () => [
  { value: AUTO, label: t('load.written.auto') },
  { value: '%d/%m/%Y', label: t('load.written.dayMonth') },
  { value: '%m/%d/%Y', label: t('load.written.monthDay') },
  { value: '%d.%m.%Y', label: t('load.written.dayMonthPoint') },
  { value: '%Y-%m-%d', label: t('load.written.year') },
  { value: OWN, label: t('load.written.own') },
]

/** By an example, which says both separators at once. */
const NUMBERS: readonly (Pick<WrittenValues, 'decimal' | 'thousands'> & { readonly example: string })[] = [
  { example: '1234.56', decimal: '.', thousands: null },
  { example: '1,234.56', decimal: '.', thousands: ',' },
  { example: '1234,56', decimal: ',', thousands: null },
  { example: '1.234,56', decimal: ',', thousands: '.' },
  { example: '1 234,56', decimal: ',', thousands: ' ' },
  { example: "1'234.56", decimal: '.', thousands: "'" },
]

/** How dates, times and numbers are written in a text. */
export function WrittenFields({ written, onChange }: Props) {
  const values = writtenOf(written)
  const { date, timestamp, decimal, thousands } = values
  const isListed = date === null || dates().some(({ value }) => value === date)
  const [hasOwnDate, setOwnDate] = useState(!isListed)
  const [hasOwnTime, setOwnTime] = useState(timestamp !== null)
  const change = (part: Partial<WrittenValues>) => onChange(withWritten(values, part))
  const numbers = NUMBERS.find((one) => one.decimal === decimal && one.thousands === thousands)
  return (
    <>
      <Select
        label={t('load.written.dates')}
        width={230}
        options={dates()}
        value={hasOwnDate || !isListed ? OWN : (date ?? AUTO)}
        onChange={(chosen) => {
          setOwnDate(chosen === OWN)
          if (chosen !== OWN) change({ date: chosen === AUTO ? null : chosen })
        }}
      />
      {(hasOwnDate || !isListed) && (
        <PatternField
          label={t('load.written.datePattern')}
          help={t('load.written.dateHelp')}
          value={date}
          onChange={(pattern) => change({ date: pattern })}
        />
      )}
      <Select
        label={t('load.written.times')}
        width={230}
        options={[
          { value: AUTO, label: t('load.written.likeDates') },
          { value: OWN, label: t('load.written.own') },
        ]}
        value={hasOwnTime ? OWN : AUTO}
        onChange={(chosen) => {
          setOwnTime(chosen === OWN)
          if (chosen === AUTO) change({ timestamp: null })
        }}
      />
      {hasOwnTime && (
        <PatternField
          label={t('load.written.timePattern')}
          help={t('load.written.timeHelp')}
          value={timestamp}
          onChange={(pattern) => change({ timestamp: pattern })}
        />
      )}
      <Select
        label={t('load.written.numbers')}
        width={230}
        options={NUMBERS.map(({ example }) => ({ value: example, label: example }))}
        value={numbers?.example ?? null}
        onChange={(chosen) => {
          const found = NUMBERS.find(({ example }) => example === chosen)
          if (found) change({ decimal: found.decimal, thousands: found.thousands })
        }}
      />
    </>
  )
}

interface PatternProps {
  readonly label: string
  readonly help: string
  readonly value: string | null
  readonly onChange: (pattern: string | null) => void
}

/** The file is read with it when the field is left, or with Enter: not with every key. */
function PatternField({ label, help, value, onChange }: PatternProps) {
  const [text, setText] = useState(value ?? '')
  const pattern = text.trim()
  const isValid = pattern === '' || TIME_PATTERN.test(pattern)
  const problems = useProblems({ pattern: isValid ? undefined : t('load.written.notAPattern') })
  const take = () => {
    if (problems.accept(['pattern'])) onChange(pattern === '' ? null : pattern)
  }
  return (
    <NameField
      {...problems.of('pattern')}
      label={label}
      help={help}
      maxLength={64}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key === 'Enter') take()
      }}
    />
  )
}
