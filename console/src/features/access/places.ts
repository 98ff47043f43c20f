import { createContext, use } from 'react'

interface Places {
  readonly addressOf: (kind: 'user' | 'role', name: string) => string
}

/** Where users and roles are; told by the route, which knows addresses. */
export const PlacesContext = createContext<Places>({ addressOf: () => '' })

export const useAddressOf = () => use(PlacesContext).addressOf
