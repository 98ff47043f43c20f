import { useMatches } from '@tanstack/react-router'
import { useEffect } from 'react'
import { t } from '../i18n/texts.ts'
import type { PageTitle } from './menu.ts'
import { usePageName } from './page-name.ts'

/** The innermost page that has a title names the place. */
export function usePageTitle(): PageTitle | undefined {
  return useMatches({
    select: (matches) => matches.findLast((match) => match.staticData.title)?.staticData.title,
  })
}

export function useDocumentTitle(): void {
  const title = usePageTitle()
  const name = usePageName()?.name
  useEffect(() => {
    const page = name ?? (title && t(title))
    document.title = page ? t('shell.documentTitle', { page }) : t('shell.product')
  }, [name, title])
}

/** Where the list is that the object of this page belongs to. */
export const useListPath = (): string | undefined =>
  useMatches({ select: (matches) => matches.findLast((match) => match.staticData.list)?.staticData.list })
