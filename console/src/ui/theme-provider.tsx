import './styles.ts'
import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyProvider } from './copy.tsx'
import type { CopyText } from './copy.tsx'
import { colorSchemeManager, resolveVariables, theme } from './theme.ts'
import { Toasts } from './toasts.tsx'

interface Props {
  readonly children: ReactNode
  /** How text reaches the clipboard; the browser's own way unless told. */
  readonly copy?: CopyText
}

export function ThemeProvider({ children, copy }: Props) {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
      cssVariablesResolver={resolveVariables}
      withGlobalClasses={false}
    >
      <CopyProvider copy={copy}>
        {children}
        <Toasts />
      </CopyProvider>
    </MantineProvider>
  )
}
