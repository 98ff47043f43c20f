import { createContext, use } from 'react'

/** The addresses of other pages, from the code that puts the pages together. */
export interface Places {
  readonly statement: (queryId: string) => string
  readonly editor: string
  readonly schedules: string
  readonly list: (search: { readonly warehouse?: string }) => string
}

export const PlacesContext = createContext<Places | null>(null)

export function usePlaces(): Places {
  const places = use(PlacesContext)
  if (!places) throw new Error('The pages of the activity stand in a PlacesContext.')
  return places
}
