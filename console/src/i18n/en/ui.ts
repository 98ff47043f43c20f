/** Words of the controls themselves. */
export const ui = {
  cancel: 'Cancel',
  capsLock: 'Caps Lock is on',
  close: 'Close',
  copy: 'Copy',
  copyDetails: 'Copy details',
  copyFailed: 'Copy failed',
  copySucceeded: 'Copy succeeded',
  dismiss: 'Dismiss',
  hidePassword: 'Hide password',
  notifications: 'Notifications',
  retry: 'Retry',
  showPassword: 'Show password',
}
