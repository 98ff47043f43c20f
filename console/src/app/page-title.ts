import { useMatches } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { PageTitle } from './menu.ts'

/** The innermost page that has a title names the place. */
export function usePageTitle(): PageTitle | undefined {
  return useMatches({
    select: (matches) => matches.findLast((match) => match.staticData.title)?.staticData.title,
  })
}

export function useDocumentTitle(): void {
  const title = usePageTitle()
  const { t } = useTranslation()
  useEffect(() => {
    document.title = title ? t('shell.documentTitle', { page: t(title) }) : t('shell.product')
  }, [title, t])
}
