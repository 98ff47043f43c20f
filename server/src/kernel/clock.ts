/** Time is an argument: rules with days or minutes in them are tested by moving a clock. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
