import './styles.ts'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { useColorScheme } from './color-scheme.ts'
import { CopyProvider } from './copy.tsx'
import type { CopyText } from './copy.tsx'
import { KitProvider } from './kit-provider.tsx'
import { Toasts } from './toasts.tsx'

interface Props {
  readonly children: ReactNode
  /** How text reaches the clipboard; the browser's own way unless told. */
  readonly copy?: CopyText
}

/**
 * Tokens, colour scheme, toasts: enough for fields, buttons and states, and so for the sign-in page, which is sent
 * without the kit. Menus, dialogs, selects, tabs and tooltips stand inside a KitProvider too.
 */
export function BaseProvider({ children, copy }: Props) {
  const { scheme } = useColorScheme()
  useEffect(() => document.documentElement.setAttribute('data-mantine-color-scheme', scheme), [scheme])
  return (
    <CopyProvider copy={copy}>
      {children}
      <Toasts />
    </CopyProvider>
  )
}

/** Everything at once. */
export const ThemeProvider = ({ children, ...base }: Props) => (
  <BaseProvider {...base}>
    <KitProvider>{children}</KitProvider>
  </BaseProvider>
)
