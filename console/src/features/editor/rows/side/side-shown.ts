export type SideShown = 'nothing' | 'value' | 'column'

export const isSideShown = (value: unknown): value is SideShown =>
  value === 'nothing' || value === 'value' || value === 'column'
