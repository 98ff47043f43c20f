/** What the address of a link holds: `/embed/{id}#{key}`. */
export interface Came {
  readonly embedId: string
  readonly key: string
}

export const cameBy = ({ pathname, hash }: Pick<Location, 'pathname' | 'hash'>): Came => ({
  embedId: pathname.split('/')[2] ?? '',
  key: hash.slice(1),
})
