export const guide = {
  pages: 'Guide pages',
  api: 'HTTP API description',
  example: 'Example',
  missing: 'Page not found',
  missingText: 'Choose a page from the list.',
}
