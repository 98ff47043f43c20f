export const guide = {
  pages: 'Guide pages',
  reference: 'API reference',
  loading: 'Loading',
  example: 'Example',
  search: 'Search guide',
  found: 'Search results',
  foundCount_one: '{count} section found',
  foundCount_other: '{count} sections found. If none helps, try other words.',
  missing: 'Page not found',
  missingText: 'Choose a page from the list.',
}
