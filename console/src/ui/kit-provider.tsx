import './kit-styles.ts'
import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { useColorScheme } from './color-scheme.ts'
import { resolveVariables, theme } from './theme.ts'

export function KitProvider({ children }: { children: ReactNode }) {
  const { scheme } = useColorScheme()
  return (
    <MantineProvider
      theme={theme}
      forceColorScheme={scheme}
      cssVariablesResolver={resolveVariables}
      withGlobalClasses={false}
    >
      {children}
    </MantineProvider>
  )
}
