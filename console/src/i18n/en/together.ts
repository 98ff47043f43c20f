/** Saved queries that several people use. */
export const together = {
  share: {
    title: 'Share {name}',
    aboutQuery: 'You stay the owner. Others find this query under “Shared with me”.',
    aboutFolder:
      'Others find the queries of this folder under “Shared with me”, also those that you move into it later. What you move out is no longer shared.',
    honest:
      'Everyone runs with their own privileges. Those who see a query can copy its text, and run the copy.',
    partner: 'User or role',
    searchPartner: 'Search by name',
    user: 'user',
    role: 'role',
    everyone: 'everyone in the account',
    level: 'They may',
    chooseLevel: 'Choose',
    levels: { see: 'See', run: 'See and run', edit: 'See, run and edit' },
    levelOf: 'What {name} may do',
    add: 'Share',
    list: 'Shared with',
    none: 'Not shared yet',
    noneWhy: 'Only you have access. Choose a user or a role above.',
    byFolder: 'by folder {folder}',
    remove: 'Stop sharing with {name}',
    loading: 'Loading…',
    failed: 'Who it is shared with could not be loaded',
  },
  mine: {
    empty: 'Nothing is shared with you yet.',
    noMatch: 'No shared query name contains “{text}”.',
    failed: 'The shared queries could not be loaded.',
    by: 'by {owner}',
    byInFolder: 'by {owner}, in {folder}',
  },
  live: { here: 'Also in this query' },
  banner: {
    see: '{owner} shared this query with you to read. You can neither change nor run it here.',
    run: '{owner} shared this query with you to read and run. You cannot change it here.',
    edit: '{owner} shared this query with you to edit. Your changes are saved for everyone who has it.',
    copy: 'Save a copy',
  },
}
