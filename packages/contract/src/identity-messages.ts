/** Words of sign-up, single sign-on and accounts that both sides know; apart, so that the shell does not carry them. */
export const IDENTITY_MESSAGES = {
  /** SIGNIN-50 to SIGNIN-53 */
  signUpTokenInvalid: 'The sign-up token is invalid. Open this page from the cloud marketplace.',
  signUpTokenExpired:
    'The sign-up token has expired. Please set up the account from the cloud marketplace again.',
  marketplaceFailed: 'The cloud marketplace gave an error. Please try again later.',
  notBusinessEmail: 'Please use a business email.',
  /** SIGNIN-55 */
  emailDiffers: 'This is not the email of the original account.',
  ssoOver: 'This sign-in is over, or was begun in another browser. Begin again.',
  ssoUnknownUser:
    'The issuer names no verified email of a user of this account. Ask the administrator to add you, or sign in with your password and connect single sign-on in your profile.',
  ssoFailed:
    'Single sign-on failed: the issuer did not answer as it should. It must be at a public address with TLS, or at one that the operator of the service has opened.',
  ssoOtherBrowser:
    'Open this link in the browser in which you began to sign in. Or sign in with your password and connect single sign-on in your profile.',
  ssoConnectedElsewhere:
    'Another user of this account is connected with this sign-in at the issuer. Sign in there as somebody else, or disconnect that user first.',
  ssoNoPassword:
    'You have no password yet, and could not sign in without single sign-on. Choose one first: the sign-in page mails you a link.',
  ssoOff: 'This account has no single sign-on. Sign in with a password.',
  linkUsed: 'This link was used before, and is good only once. Ask for another.',
  linkExpired: 'This link is no longer good. Ask for another.',
  /** ACCOUNT-35 */
  notInTrial: 'Accounts cannot be created during the free trial.',
  rootAccountStays: 'The root account cannot be deleted in the console. Please contact support.',
  deletionPhrase: 'Enter the name of the account exactly as it is written.',
  currentPasswordWrong: 'The current password is wrong.',
} as const
