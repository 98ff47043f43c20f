import { useId, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { classNames } from './class-names.ts'
import { Field } from './field.tsx'
import fieldStyles from './field.module.css'
import { IconChevronDown } from './icons.ts'
import { SelectList } from './select-list.tsx'
import styles from './select.module.css'

export interface SelectOption {
  readonly value: string
  readonly label: string
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
  /** The options are those that match already: whoever hears this gives others. */
  readonly onSearch?: (text: string) => void
  readonly width?: number | string
}

/** More than anybody reads; a search finds the others. */
const MOST_SHOWN = 200

function matching(options: readonly SelectOption[], text: string): readonly SelectOption[] {
  const wanted = text.trim().toLowerCase()
  return options.filter(({ label }) => label.toLowerCase().includes(wanted)).slice(0, MOST_SHOWN)
}

/** The next one that can be chosen, in the direction of the step. */
function nextIndex(options: readonly SelectOption[], from: number, step: number): number {
  for (let tried = 1; tried <= options.length; tried++) {
    const index = (from + step * tried + options.length * tried) % options.length
    if (!options[index]?.disabled) return index
  }
  return from
}

/** One of many by name, with a search where it is asked for. */
export function Select(props: Props) {
  const { label, options, value, onChange, onSearch, searchable = false, width } = props
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const input = useRef<HTMLInputElement>(null)
  const list = useId()
  const shown = searchable && !onSearch ? matching(options, text) : options.slice(0, MOST_SHOWN)
  const chosen = options.find((option) => option.value === value)?.label ?? value ?? ''

  const search = (next: string) => {
    setText(next)
    setActive(0)
    onSearch?.(next)
  }
  const open = () => {
    if (isOpen) return
    setOpen(true)
    setActive(
      Math.max(
        0,
        shown.findIndex((option) => option.value === value),
      ),
    )
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
    if (step) setActive(nextIndex(shown, active, step))
    else if (event.key === 'Enter' || (!searchable && event.key === ' ')) choose(shown[active])
    else if (event.key === 'Escape') {
      event.stopPropagation()
      close()
    } else {
      if (!searchable && event.key.length === 1) setActive(beginningWith(shown, event.key, active))
      return
    }
    event.preventDefault()
  }
  return (
    <Field label={label} hideLabel={props.hideLabel ?? false}>
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
            aria-activedescendant={isOpen && shown[active] ? `${list}-${active}` : undefined}
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
              active={active}
              onChoose={choose}
            />
          )}
        </div>
      )}
    </Field>
  )
}

function beginningWith(options: readonly SelectOption[], letter: string, from: number): number {
  const begins = ({ label, disabled }: SelectOption) =>
    !disabled && label.toLowerCase().startsWith(letter.toLowerCase())
  const after = options.findIndex((option, index) => index > from && begins(option))
  const found = after === -1 ? options.findIndex(begins) : after
  return found === -1 ? from : found
}
