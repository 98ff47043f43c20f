import { formatDateTime } from '../../../lib/format.ts'

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/

/** A value of an entry as people read it: moments in the time zone of the browser. */
export const shownValue = (text: string): string => (MOMENT.test(text) ? formatDateTime(text) : text)

/** The name of a field in words: `owner.lastUsedAt` is 'owner last used at'. */
export const shownField = (field: string): string =>
  field
    .replaceAll(/[._-]+/g, ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
