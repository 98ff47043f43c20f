/** What the dialog about oneself says of roles. */
export const profile = {
  roles: {
    tab: 'Roles',
    /** SHELL-73 */
    header: '{active} of {all} roles activated',
    list: 'Your roles',
    /** ROLE-23 */
    note: 'A newly activated role takes effect after a new JDBC connection or after logging in again.',
    console: 'The console follows at once.',
    publicNote: 'Everyone has the role public, and it is always active.',
    none: 'No role was given to you. A user administrator can give you one.',
    builtIn: 'Built-in',
    save: 'Save',
    saved: 'Your active roles were changed.',
    failed: 'Your roles could not be listed',
  },
}
