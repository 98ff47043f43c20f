import { MESSAGES } from '@boathouse/contract/rules'

export const relogin = {
  title: 'Login timed out',
  body: MESSAGES.loginTimedOut,
  kept: 'Your work is saved until you sign in again.',
  confirm: 'Sign in',
  help: 'Need help?',
}
