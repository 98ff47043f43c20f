import type { ObjectRef } from '@boathouse/contract/schema-objects'
import { createContext, use } from 'react'

/** Where the pages of this feature are, and how another one is opened; told by the route, which knows addresses. */
export interface Places {
  readonly catalogOf: (catalog: { readonly name: string; readonly type: string }) => string
  readonly databaseOf: (database: string) => string
  readonly objectOf: (object: ObjectRef) => string
  /** Where files are loaded into a database, or a table in it. */
  readonly loadInto: (into: { readonly database: string; readonly table?: string }) => string
  readonly go: (address: string) => void
  readonly openTab: (tab: { readonly tabId: string; readonly tabName: string }) => void
}

const NOWHERE = () => ''

export const PlacesContext = createContext<Places>({
  catalogOf: NOWHERE,
  databaseOf: NOWHERE,
  objectOf: NOWHERE,
  loadInto: NOWHERE,
  go: () => undefined,
  openTab: () => undefined,
})

export const usePlaces = (): Places => use(PlacesContext)

/** What a list shows, in its address. */
export interface Shown {
  readonly search?: string
  readonly page?: string
  readonly tab?: string
}

export interface ShownProps {
  readonly shown: Shown
  readonly onShow: (shown: Shown) => void
}
