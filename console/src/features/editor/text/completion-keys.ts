/** The keys that take what is offered. */
export const COMPLETION_KEYS = ['tab', 'enter', 'both'] as const
export type CompletionKeys = (typeof COMPLETION_KEYS)[number]
export const isCompletionKeys = (value: unknown): value is CompletionKeys =>
  COMPLETION_KEYS.some((keys) => keys === value)
