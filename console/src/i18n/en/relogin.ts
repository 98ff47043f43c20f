import { MESSAGES } from '@boathouse/contract/rules'

export const relogin = {
  title: 'Login timed out',
  /** SIGNIN-45 */
  body: MESSAGES.loginTimedOut,
  kept: 'What you were working on is kept until you sign in.',
  confirm: 'Sign in',
  help: 'Need help?',
}
