import { Select as KitSelect } from '@mantine/core'
import type { ReactNode } from 'react'

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
  readonly leftSection?: ReactNode
}

const HEIGHT_PX = 30
/** More than anybody reads; a search finds the others. */
const MOST_SHOWN = 200

export function Select(props: Props) {
  const { label, hideLabel = false, options, value, onChange, onSearch, width, leftSection } = props
  return (
    <KitSelect
      {...(hideLabel ? { 'aria-label': label } : { label })}
      data={options.map((option) => ({ ...option }))}
      value={value}
      onChange={(next) => next !== null && onChange(next)}
      placeholder={props.placeholder ?? ''}
      disabled={props.disabled ?? false}
      searchable={props.searchable ?? false}
      limit={MOST_SHOWN}
      {...(onSearch ? { onSearchChange: onSearch, filter: ({ options: all }) => all } : {})}
      leftSection={leftSection}
      allowDeselect={false}
      checkIconPosition="right"
      w={width ?? 'auto'}
      styles={{ input: { height: HEIGHT_PX, minHeight: HEIGHT_PX } }}
    />
  )
}
