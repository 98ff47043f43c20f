/** The first moment of the month that a moment is in, UTC. */
export const monthOf = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1))

export const monthAfter = (month: Date): Date =>
  new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1))

/** `YYYY-MM-01`, as the store keeps it. */
export const dayText = (at: Date): string => at.toISOString().slice(0, 10)
/** `YYYY-MM`, as calls say it. */
export const monthText = (at: Date): string => at.toISOString().slice(0, 7)
