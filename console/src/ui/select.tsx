import { useId, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { useActiveOption } from './active-option.ts'
import { classNames } from './class-names.ts'
import { Field } from './field.tsx'
import fieldStyles from './field.module.css'
import { IconChevronDown } from './icons.ts'
import { SelectList } from './select-list.tsx'
import { matching, MOST_SHOWN } from './select-match.ts'
import styles from './select.module.css'

export interface SelectOption {
  readonly value: string
  readonly label: string
  /** Beside the label, and searched as well. */
  readonly hint?: string
  readonly disabled?: boolean
}

interface Props {
  readonly label: string
  /** The label is always read out; this only takes it off the screen. */
  readonly hideLabel?: boolean
  readonly options: readonly SelectOption[]
  readonly value: string | null
  readonly onChange: (value: string) => void
  readonly placeholder?: string
  readonly disabled?: boolean
  readonly searchable?: boolean
  /** The options are some of very many: for this text others may be given. Those that do not match are not shown. */
  readonly onSearch?: (text: string) => void
  /** Others are still looked for. */
  readonly isSearching?: boolean
  readonly error?: string | undefined
  readonly width?: number | string
}

/** The key of no option. */
const NOWHERE = '\0'

/** Chooses one of many by name, with a search where that helps. */
export function Select(props: Props) {
  const { label, options, value, onChange, onSearch, searchable = false, width } = props
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const list = useId()
  const shown = searchable ? matching(options, text) : options.slice(0, MOST_SHOWN)
  // Of a list that is searched, nothing is chosen by Enter before something was typed or reached by an arrow key.
  const isUnasked = searchable && text.trim() === ''
  const active = useActiveOption(shown.map(({ value: key, disabled }) => ({ key, disabled })))
  const chosen = options.find((option) => option.value === value)?.label ?? value ?? ''

  const search = (next: string) => {
    setText(next)
    active.reset(next.trim() === '' ? NOWHERE : null)
    onSearch?.(next)
  }
  const open = () => {
    if (isOpen) return
    setOpen(true)
    active.reset(shown.some((option) => option.value === value) ? value : isUnasked ? NOWHERE : null)
  }
  const close = () => {
    setOpen(false)
    if (text !== '') search('')
  }
  const choose = (option: SelectOption | undefined) => {
    if (!option || option.disabled) return
    close()
    onChange(option.value)
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const opens = step !== undefined || (!searchable && event.key === ' ')
    if (!isOpen) {
      if (!opens) return
      event.preventDefault()
      return open()
    }
    if (step) active.move(step)
    else if (event.key === 'Enter' || (!searchable && event.key === ' ')) choose(shown[active.index])
    else if (event.key === 'Escape') {
      event.stopPropagation()
      close()
    } else {
      const found = !searchable && event.key.length === 1 && beginningWith(shown, event.key, active.index)
      if (found) active.reset(found.value)
      return
    }
    event.preventDefault()
  }
  return (
    <Field label={label} hideLabel={props.hideLabel ?? false} error={props.error}>
      {(ids) => (
        <div className={styles['select']} style={{ width }}>
          <input
            {...ids}
            ref={input}
            role="combobox"
            className={classNames(fieldStyles['input'], styles['input'])}
            aria-expanded={isOpen}
            aria-controls={list}
            aria-autocomplete={searchable ? 'list' : 'none'}
            aria-activedescendant={isOpen && shown[active.index] ? `${list}-${active.index}` : undefined}
            autoComplete="off"
            spellCheck={false}
            readOnly={!searchable}
            disabled={props.disabled ?? false}
            placeholder={(searchable && chosen) || props.placeholder}
            value={searchable && isOpen ? text : chosen}
            onChange={(event) => {
              open()
              search(event.target.value)
            }}
            onClick={() => (isOpen && !searchable ? close() : open())}
            onKeyDown={press}
            onBlur={close}
          />
          <IconChevronDown size={14} aria-hidden className={styles['mark']} />
          {isOpen && input.current && (
            <SelectList
              id={list}
              label={label}
              anchor={input.current}
              options={shown}
              value={value}
              active={active.index}
              isSearching={props.isSearching ?? false}
              onChoose={choose}
            />
          )}
        </div>
      )}
    </Field>
  )
}

function beginningWith(
  options: readonly SelectOption[],
  letter: string,
  from: number,
): SelectOption | undefined {
  const begins = ({ label, disabled }: SelectOption) =>
    !disabled && label.toLowerCase().startsWith(letter.toLowerCase())
  return options.find((option, index) => index > from && begins(option)) ?? options.find(begins)
}
