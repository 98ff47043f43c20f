/** Pages of the specification that this version does not have yet. */
export const later = {
  title: '{page} is not available in this version',
  home: 'Back home',
  integration: {
    body: 'Guides for connecting tools and loading data from other services come with a later version.',
    instead: 'The home page says how to connect with a client that you have.',
  },
}
