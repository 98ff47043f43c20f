import { errorNumberOf, type NumberedError } from '../../modules/query/sessions/error-numbers.ts'
import type { ErrorDetail } from '../../kernel/error-detail.ts'
import type { SqlError } from './link/messages.ts'

/** The answer to a statement, or an `AppError`, which has its detail under another name. */
type Failure = NumberedError & { readonly message: string; readonly detail?: ErrorDetail | undefined }

/** An error of the service, whole or of one statement, as MySQL's clients are sent it. */
export function sqlErrorOf({ code, errorKind, errorDetail, detail, message }: Failure): SqlError {
  const [number, sqlState] = errorNumberOf({ code, errorKind, errorDetail: errorDetail ?? detail })
  return { code: number, sqlState, message }
}
