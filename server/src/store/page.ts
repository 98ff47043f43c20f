/** One page of a list, of what contains the search. */
export interface Page {
  readonly search: string
  readonly page: number
  readonly pageSize: number
}

/** Contains it, whatever the letter case. */
export const likeText = (search: string): string =>
  `%${search.toLowerCase().replace(/[\\%_]/g, String.raw`\$&`)}%`
