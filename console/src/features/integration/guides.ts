import { type IntegrationGuide, readIntegrationGuide } from '@boathouse/contract/integration-guide'

const files = import.meta.glob<string>('../../../../docs/integrations/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** In the order of the cards: those that the specification names come first. */
const FIRST = [
  'aws-iam-role',
  'superset',
  'tableau-desktop',
  'querybook',
  'hex',
  'metabase',
  'redash',
  'streaming-api',
]

const rank = (name: string): number => {
  const found = FIRST.indexOf(name)
  return found === -1 ? FIRST.length : found
}

/** The same files as in the repository; the tests run what they say. */
export const guides: readonly IntegrationGuide[] = Object.entries(files)
  .map(([path, source]) => readIntegrationGuide(path.replace(/^.*\/|\.md$/g, ''), source))
  .toSorted((one, other) => rank(one.name) - rank(other.name) || one.title.localeCompare(other.title, 'en'))
