/** Pages of the specification that this version does not have yet. */
export const later = {
  title: '{page} is not available in this version',
  home: 'Back home',
  integration: {
    body: 'A later version has guides to connect tools and load data from other services.',
    instead: 'The home page shows how to connect with your own client.',
  },
}
