/** What the dialog about oneself says of roles. */
export const profile = {
  roles: {
    tab: 'Roles',
    header: '{active} of {all} roles activated',
    list: 'Your roles',
    note: 'A newly activated role takes effect after a new JDBC connection or after logging in again.',
    console: 'The console applies it at once.',
    publicNote: 'Every user has the role public. It is always active.',
    none: 'You have no roles. Ask a user administrator to grant you one.',
    builtIn: 'Built-in',
    save: 'Save',
    saved: 'Active roles changed.',
    failed: 'Your roles could not be listed',
  },
}
