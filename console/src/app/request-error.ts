import type { CallError } from '../lib/api.ts'

export interface FailedRender {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly error: CallError
}

/** A failure of the page before is not this page's. */
export const belongsToPage = (failed: FailedRender | null, pageStartedAt: number): failed is FailedRender =>
  failed !== null && failed.at >= pageStartedAt

export type RequestErrorKind = 'timeout' | 'engine' | 'other'

/** A timeout is named first, whatever the request was. */
export function requestErrorKind(message: string, url: string): RequestErrorKind {
  if (/timeout|timed out/i.test(message)) return 'timeout'
  return url.includes('catalogs') ? 'engine' : 'other'
}
