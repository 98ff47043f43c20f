import type { ObjectRef } from '@boathouse/contract/schema-objects'
import { createContext, use } from 'react'

/** The addresses of the pages of this feature, and how another one is opened; from the route, which knows them. */
export interface Places {
  readonly catalogOf: (catalog: { readonly name: string; readonly type: string }) => string
  readonly databaseOf: (database: string) => string
  readonly objectOf: (object: ObjectRef) => string
  readonly pipeOf: (pipe: { readonly database: string; readonly pipe: string }) => string
  readonly statementOf: (queryId: string) => string
  readonly queryOf: (tab: { readonly tabId: string; readonly tabName: string }) => string
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
  pipeOf: NOWHERE,
  statementOf: NOWHERE,
  queryOf: NOWHERE,
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
