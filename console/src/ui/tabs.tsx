import { Tabs as KitTabs } from '@mantine/core'
import type { ReactNode } from 'react'

export interface TabItem {
  readonly value: string
  readonly label: ReactNode
  readonly content: ReactNode
}

interface Props {
  /** What the tabs choose between, for those who cannot see them side by side. */
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly items: readonly TabItem[]
}

export function Tabs({ label, value, onChange, items }: Props) {
  return (
    <KitTabs value={value} onChange={(next) => next !== null && onChange(next)} keepMounted={false}>
      <KitTabs.List aria-label={label}>
        {items.map((item) => (
          <KitTabs.Tab key={item.value} value={item.value}>
            {item.label}
          </KitTabs.Tab>
        ))}
      </KitTabs.List>
      {items.map((item) => (
        <KitTabs.Panel key={item.value} value={item.value} pt={12}>
          {item.content}
        </KitTabs.Panel>
      ))}
    </KitTabs>
  )
}
