/** What the address of a link holds: `/embed/{id}#{key}`. */
export interface Came {
  readonly embedId: string
  readonly key: string
}

export const cameBy = ({ pathname, hash }: Pick<Location, 'pathname' | 'hash'>): Came => ({
  embedId: pathname.split('/')[2] ?? '',
  key: hash.slice(1),
})

/** As the page around it wants: `?scheme=dark`. Null: as the browser wants. */
export function schemeIn(search: string): 'light' | 'dark' | null {
  const scheme = new URLSearchParams(search).get('scheme')
  return scheme === 'light' || scheme === 'dark' ? scheme : null
}
