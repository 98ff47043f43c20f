/** What a statement has to say beside its result. */
export interface Warning {
  readonly level: 'Note' | 'Warning' | 'Error'
  readonly code: number
  readonly message: string
}

/** As MySQL numbers it: 'not supported'. */
const NOT_SUPPORTED = 1235

/** Of what was accepted without a meaning here. */
export const noticed = (messages: readonly string[]): Warning[] =>
  [...new Set(messages)].map((message) => ({ level: 'Warning', code: NOT_SUPPORTED, message }))
