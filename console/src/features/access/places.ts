import { createContext, use } from 'react'

interface Places {
  readonly addressOf: (kind: 'user' | 'role', name: string) => string
}

/** The addresses of users and roles, from the route, which knows them. */
export const PlacesContext = createContext<Places>({ addressOf: () => '' })

export const useAddressOf = () => use(PlacesContext).addressOf
