/** The first moment of the month that a moment is in, UTC. */
export const monthOf = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1))

export const monthAfter = (month: Date): Date =>
  new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1))

const CHARGED_BEFORE_MS = 5 * 60_000

/** A month is charged in the last five minutes of its last day. */
export const chargedAt = (month: Date): Date => new Date(monthAfter(month).getTime() - CHARGED_BEFORE_MS)

/** The first month that is not charged yet at this moment. */
export const unchargedMonth = (at: Date): Date => monthOf(new Date(at.getTime() + CHARGED_BEFORE_MS))

/** `YYYY-MM-01`, the form in the database. */
export const dayText = (at: Date): string => at.toISOString().slice(0, 10)
/** `YYYY-MM`, as calls say it. */
export const monthText = (at: Date): string => at.toISOString().slice(0, 7)
