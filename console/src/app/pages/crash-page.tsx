import { errorReport, log as logCalls } from '@boathouse/contract/log'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { t } from '../../i18n/texts.ts'
import { send } from '../../lib/api.ts'
import { logToConsole } from '../../lib/console-log.ts'
import { session } from '../../lib/session.ts'
import { ErrorState } from '../../ui/index.ts'

/** What browsers say when a part of the console cannot be fetched, for want of a network or after an update. */
const NOT_LOADED = /dynamically imported module|module script failed|preload CSS/i

const isLoadFailure = (error: Error): boolean => NOT_LOADED.test(error.message)

async function reportCrash(error: Error): Promise<void> {
  const message = errorReport({
    errUrl: window.location.pathname,
    requestBody: null,
    accountId: session.get().account ?? '',
    message: error.stack ?? error.message,
  })
  try {
    await send(logCalls.report, { message })
  } catch (failure) {
    logToConsole('A crash of a page could not be reported to the service.', failure)
  }
}

// A browser remembers a failed import, so only a new document tries again.
const reload = (): void => window.location.reload()

/** In place of a page that threw. The rest of the console keeps working. */
export function CrashPage({ error: thrown }: Pick<ErrorComponentProps, 'error'>) {
  const error = useMemo(() => (thrown instanceof Error ? thrown : new Error(String(thrown))), [thrown])
  const loadFailure = isLoadFailure(error)
  useEffect(() => {
    if (!loadFailure) void reportCrash(error)
  }, [error, loadFailure])
  if (loadFailure)
    return <ErrorState page title={t('shell.loadingFailed')} what={error.message} onRetry={reload} />
  return (
    <ErrorState
      page
      title={t('shell.crash.title')}
      what={t('shell.crash.what', { message: error.message })}
      todo={t('shell.crash.todo')}
      onRetry={reload}
      retryLabel={t('shell.crash.reload')}
      details={error.stack ?? error.message}
    />
  )
}
