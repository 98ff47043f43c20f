import { createContext, use, useCallback } from 'react'
import type { ReactNode } from 'react'
import { t } from '../i18n/texts.ts'
import { notify } from './toasts.tsx'

export type CopyText = (text: string) => Promise<void>

const browserCopy: CopyText = (text) => navigator.clipboard.writeText(text)

const CopyContext = createContext<CopyText>(browserCopy)

export function CopyProvider({ copy, children }: { copy: CopyText | undefined; children: ReactNode }) {
  return <CopyContext value={copy ?? browserCopy}>{children}</CopyContext>
}

/** Copies, and says whether it worked. */
export function useCopy(): (text: string) => void {
  const copy = use(CopyContext)
  return useCallback(
    (text) => {
      copy(text).then(
        () => notify({ tone: 'ok', message: t('ui.copySucceeded') }),
        () => notify({ tone: 'err', message: t('ui.copyFailed') }),
      )
    },
    [copy],
  )
}
