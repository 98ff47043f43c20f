/** A dashboard for people without a sign-in. */
export const embedded = {
  closed: 'This dashboard is not available',
  failed: 'The dashboard could not be loaded',
  empty: 'This dashboard has no tiles yet',
  refreshed: 'Refreshed {when}',
  tile: 'Tile',
  notKept: 'No rows are kept of this tile. The next refresh shows it again.',
}
