import { t } from '../../i18n/texts.ts'
import type { CallError } from '../../lib/api.ts'
import { EmptyState, ErrorState, NoPermission } from '../../ui/index.ts'

interface Props {
  readonly error: CallError
  /** What was loaded, for example 'The databases'. */
  readonly what: string
  readonly onRetry: () => void
}

/** In place of what could not be fetched, why, and what to do. */
export function FetchFailed({ error, what, onRetry }: Props) {
  if (error.codeName === 'NoPermission')
    return <NoPermission title={t('catalog.failed.noPermission')} text={error.message} />
  if (error.codeName === 'NotFound')
    return (
      <EmptyState title={t('catalog.failed.missing')}>
        <p>{error.message}</p>
      </EmptyState>
    )
  // It would be refused again.
  if (error.codeName === 'QueryFailed')
    return (
      <EmptyState title={t('catalog.failed.refused')}>
        <p>{error.message}</p>
      </EmptyState>
    )
  return (
    <ErrorState
      title={t('catalog.failed.title', { what })}
      what={error.message}
      todo={t('catalog.failed.todo')}
      onRetry={onRetry}
      details={`${error.call.path} ${error.codeName} ${error.code}: ${error.message}`}
    />
  )
}
