/** What a statement has to say beside its result. */
export interface Warning {
  readonly level: 'Note' | 'Warning' | 'Error'
  readonly code: number
  readonly message: string
}
