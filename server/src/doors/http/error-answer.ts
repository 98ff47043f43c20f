import { CODES, type CodeName, type Envelope, LIMITS } from '@boathouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import { DISK_FULL, isDiskFull } from '../../kernel/disk-full.ts'

export interface ErrorAnswer {
  readonly status: number
  readonly body: Envelope
  /** False: the cause was not foreseen and must be logged in full. */
  readonly isForeseen: boolean
}

const answer = (name: CodeName, message: string, isForeseen = true): ErrorAnswer => ({
  status: CODES[name].http,
  body: { code: CODES[name].code, message, data: null },
  isForeseen,
})

const TOO_LARGE = `The request is too large: a call takes ${LIMITS.smallBodyBytes / 1024} KiB, one with a long text of SQL or many columns ${LIMITS.bodyBytes / 1024 ** 2} MiB, and one that needs no login ${LIMITS.bodyBytesBeforeLogin / 1024} KiB.`
const UNREADABLE_ADDRESS =
  'The address of the request is invalid: a % in it is not followed by a character code.'

/** The one place where a failure becomes an HTTP answer. Unforeseen ones say nothing about their cause. */
export function errorAnswer(error: unknown): ErrorAnswer {
  if (error instanceof AppError) return answer(error.code, error.message)
  if (isDiskFull(error)) return answer('DiskFull', DISK_FULL)
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return answer('TooLarge', TOO_LARGE)
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return answer('BadInput', 'Send a JSON body with the content type application/json.')
  if (code === 'FST_ERR_CTP_EMPTY_JSON_BODY' || code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH')
    return answer('BadInput', 'The body is empty, or shorter than its Content-Length.')
  if (code === 'FST_ERR_BAD_URL') return answer('BadInput', UNREADABLE_ADDRESS)
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return answer('UnknownCall', 'There is nothing at this address.')
  return answer('Internal', 'Something went wrong in the service, and it was logged. Try again.', false)
}
