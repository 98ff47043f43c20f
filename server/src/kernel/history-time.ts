const DAY_MS = 24 * 3_600_000
const HISTORY_DAYS = 90

/** The first moment of a UTC month, a number of months later. */
export const monthOf = (at: Date, later = 0): Date =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + later))

/** The history is kept for 90 days; then it goes by whole months, and what belongs to it goes with it. */
export const historyBegins = (now: Date): Date => monthOf(new Date(now.getTime() - HISTORY_DAYS * DAY_MS))
