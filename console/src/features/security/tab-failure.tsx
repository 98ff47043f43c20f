import { t } from '../../i18n/texts.ts'
import { isCallError } from '../../lib/api.ts'
import { ErrorState, NoPermission } from '../../ui/index.ts'

interface Props {
  readonly title: string
  readonly error: Error
  readonly onRetry: () => void
}

export const isRefused = (error: Error | null): boolean =>
  isCallError(error) && error.codeName === 'NoPermission'

/** In place of a tab that could not be read. */
export const TabFailure = ({ title, error, onRetry }: Props) =>
  isRefused(error) ? (
    <NoPermission
      title={t('shell.noPermission.title')}
      text={t('shell.noPermission.body')}
      missing={error.message}
    />
  ) : (
    <ErrorState title={title} what={error.message} onRetry={onRetry} />
  )
