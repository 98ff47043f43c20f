export interface GuidePageSource {
  /** As in its address. */
  readonly name: string
  readonly source: string
}

const files = import.meta.glob<string>('../../../../docs/guide/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** The order in which somebody new reads them; others follow by name. */
const FIRST = ['getting-started', 'sql-editor']

const rank = (name: string): number => {
  const found = FIRST.indexOf(name)
  return found === -1 ? FIRST.length : found
}

/** Our own guide, the same files as in the repository. */
export const guidePages: readonly GuidePageSource[] = Object.entries(files)
  .map(([path, source]) => ({ name: path.replace(/^.*\/|\.md$/g, ''), source }))
  .toSorted((a, b) => rank(a.name) - rank(b.name) || (a.name < b.name ? -1 : 1))
