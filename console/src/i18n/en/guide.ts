export const guide = {
  pages: 'Pages of the guide',
  api: 'HTTP API description',
  example: 'Example',
  missing: 'The guide has no such page',
  missingText: 'Choose one of the pages beside.',
}
