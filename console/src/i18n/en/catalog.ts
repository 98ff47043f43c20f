/** What the pages of catalogs say. */
export const catalog = {
  title: 'All Catalogs',
  catalogs_one: '{count} catalog',
  catalogs_other: '{count} catalogs',
  databases_one: '{count} database',
  databases_other: '{count} databases',
  objects_one: '{count} table or view',
  objects_other: '{count} tables and views',
  search: 'Search by name',
  column: { name: 'Name', type: 'Type' },
  table: 'Table',
  view: 'View',
  list: { catalogs: 'Catalogs', databases: 'Databases', objects: 'Tables and views' },
  empty: 'Nothing here yet, or nothing that you may see',
  nothingFound: 'Nothing matches',
  first: 'The first {count} are shown. Search to find others.',
}
