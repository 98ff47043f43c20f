import './styles.ts'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { useColorScheme } from './color-scheme.ts'
import { CopyProvider } from './copy.tsx'
import type { CopyText } from './copy.tsx'
import { Toasts } from './toasts.tsx'

interface Props {
  readonly children: ReactNode
  /** How text reaches the clipboard; by default, the browser's own way. */
  readonly copy?: CopyText
}

/** Tokens, colour scheme, toasts. */
export function BaseProvider({ children, copy }: Props) {
  const { scheme } = useColorScheme()
  useEffect(() => document.documentElement.setAttribute('data-scheme', scheme), [scheme])
  return (
    <CopyProvider copy={copy}>
      {children}
      <Toasts />
    </CopyProvider>
  )
}
