import { API_PREFIX } from '@boathouse/contract/call'
import { t } from '../../i18n/texts.ts'
import type { CallError } from '../../lib/api.ts'
import { ErrorState } from '../../ui/index.ts'
import { requestErrorKind } from '../request-error.ts'

interface Props {
  readonly error: CallError
  readonly onReload: () => void
}

/** What a page shows when the call that fills it has failed. */
export function RequestErrorState({ error, onReload }: Props) {
  const url = API_PREFIX + error.call.path
  const texts = {
    timeout: { title: t('shell.requestError.timeoutTitle'), what: t('shell.requestError.timeoutBody') },
    engine: {
      title: t('shell.requestError.catalogTitle'),
      what: t('shell.requestError.catalogBody', { message: error.message }),
      todo: t('shell.requestError.catalogTodo'),
    },
    other: { title: t('shell.requestError.title'), what: error.message },
  }[requestErrorKind(error.message, url)]
  return (
    <ErrorState
      page
      todo={t('shell.requestError.todo')}
      {...texts}
      onRetry={onReload}
      retryLabel={t('shell.requestError.reload')}
      details={`${url} ${error.codeName} ${error.code}: ${error.message}`}
    />
  )
}
