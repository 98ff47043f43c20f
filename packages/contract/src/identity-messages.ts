/** Words of sign-up, single sign-on and accounts that both sides know; apart, so that the shell does not carry them. */
export const IDENTITY_MESSAGES = {
  signUpTokenInvalid: 'The sign-up token is invalid. Open this page from the cloud marketplace.',
  signUpTokenExpired:
    'The sign-up token has expired. Please set up the account from the cloud marketplace again.',
  marketplaceFailed: 'The cloud marketplace reported an error. Please try again later.',
  notBusinessEmail: 'Please use a business email.',
  emailDiffers: 'This is not the email of the original account.',
  ssoOver: 'This sign-in has expired or was started in another browser. Start again.',
  ssoUnknownUser:
    'No user of this account has the verified email that the issuer sent. Ask your administrator to add you. Or sign in with your password and connect single sign-on in your profile.',
  ssoFailed:
    'Single sign-on failed: the issuer sent an invalid response. It must have a public address with TLS, or one that the operator of the service allows.',
  ssoOtherBrowser:
    'Open this link in the browser where you started to sign in. Or sign in with your password and connect single sign-on in your profile.',
  ssoConnectedElsewhere:
    'Another user of this account is connected to this identity. Sign in at the issuer as somebody else, or disconnect that user first.',
  ssoNoPassword:
    'You have no password yet, so you could not sign in without single sign-on. Use "Forgot password?" on the sign-in page to choose one.',
  ssoOff: 'This account does not use single sign-on. Sign in with a password.',
  linkUsed: 'This link was already used. Request a new one.',
  linkExpired: 'This link has expired. Request a new one.',
  notInTrial: 'You cannot create accounts during the free trial.',
  rootAccountStays: 'You cannot delete the root account in the console. Please contact support.',
  deletionPhrase: 'Enter the account name exactly as shown.',
  currentPasswordWrong: 'The current password is wrong.',
} as const
