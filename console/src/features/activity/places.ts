import { createContext, use } from 'react'

/** Where other pages are; whoever puts the pages together knows. */
export interface Places {
  readonly statement: (queryId: string) => string
  readonly editor: string
  readonly list: (search: { readonly warehouse?: string }) => string
}

export const PlacesContext = createContext<Places | null>(null)

export function usePlaces(): Places {
  const places = use(PlacesContext)
  if (!places) throw new Error('The pages of the activity stand in a PlacesContext.')
  return places
}
