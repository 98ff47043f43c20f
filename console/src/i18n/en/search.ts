/** What the search in the top bar says. */
export const search = {
  label: 'Search',
  catalogs: 'Catalogs',
  queries: 'Queries',
  scope: 'Search in',
  placeholder: { catalogs: 'Search catalogs', queries: 'Search saved queries' },
  kinds: {
    database: 'Database',
    table: 'Table',
    view: 'View',
    materialized_view: 'Materialized view',
    column: 'Column',
  },
  in: '{kind} in {path}',
  nothing: 'No matches',
  failed: 'The search failed: {message}',
}
